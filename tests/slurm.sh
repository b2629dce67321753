#!/usr/bin/env bash
# examples/slurm on one machine, by a Slurm of its own in a folder of its own (Debian: slurm-wlm, munge),
# as root; exit code 77 where that cannot be started. The tables are those of one process.
#   tests/slurm.sh PROGRAM
example=$(realpath "$(dirname "$0")/../examples/slurm")
source "$(dirname "$0")/cli_lib.sh"
skip() { echo "skipped: $*"; exit 77; }
for program in munged slurmctld slurmd sbatch srun scontrol; do
  command -v $program > /dev/null || skip "$program is not installed"
done
[ "$(id -u)" = 0 ] || skip "Slurm is started as root"

# --- a Slurm of four cores, whatever the machine has --------------------------------------------------
host=$(hostname -s)
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }
mkdir slurm slurm/state slurm/spool
chmod 755 "$work"
head -c 1024 /dev/urandom > slurm/munge.key
chmod 400 slurm/munge.key
export SLURM_CONF=$work/slurm/slurm.conf
cat > "$SLURM_CONF" << TEXT
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthInfo=socket=$work/slurm/munge.socket
CredType=cred/munge
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
TEXT
daemons=()
stop() {
  local pid
  for pid in "${daemons[@]}"; do kill "$pid" 2> /dev/null || true; done
  wait
  rm -rf "$work"
}
trap stop EXIT
munged --foreground --force --key-file "$work/slurm/munge.key" --socket "$work/slurm/munge.socket" \
  --pid-file "$work/slurm/munged.pid" --log-file "$work/slurm/munged.log" --seed-file "$work/slurm/munge.seed" \
  > slurm/munged.out 2>&1 &
daemons+=($!)
sleep 1
slurmctld -D > slurm/slurmctld.out 2>&1 & daemons+=($!)
slurmd -D -N "$host" > slurm/slurmd.out 2>&1 & daemons+=($!)
is_up() { [ "$(sinfo -h -o %T 2> /dev/null)" = idle ]; }
for ((i = 0; i < 100; i++)); do
  ! is_up || break
  sleep 0.2
done
is_up || { tail -n 5 slurm/*.out slurm/*.log; skip "Slurm does not start here"; }

# --- the example, smaller -------------------------------------------------------------------------------
mkdir bin
ln -s "$cqopt" bin/cqopt
export PATH=$work/bin:$PATH
cp "$example"/*.sbatch "$example/../dakota/toss.cfg" .
sed -i 's/--samples 200/--samples 9/; s/--ntasks=64/--ntasks=3/; s/--array=1-20/--array=1-4/; s/--cpus-per-task=4/--cpus-per-task=1/
  s/TASK_ID.20/TASK_ID\/4/; s/--workers 4/--workers 1/; s/--ntasks=16/--ntasks=3/; s/max_evaluations=200/max_evaluations=40/' ./*.sbatch
submit() { sbatch --parsable "$@" | cut -d_ -f1; }
# until the queue is empty
await_jobs() {
  local i
  for ((i = 0; i < 600; i++)); do
    [ -n "$(squeue -h)" ] || return 0
    sleep 0.2
  done
  fail "jobs do not end: $(squeue)"
}
study=(cqopt study toss.cfg --samples 9 --vary "simulation.damping=0:4" --quiet)
expect 0 "${study[@]}" --output whole
submit ranks.sbatch > job
await_jobs
same_tables toss_ranks || cat toss.log
submit array.sbatch > job
submit --dependency=afterany:"$(cat job)" collect.sbatch > job
await_jobs
same_tables toss_array || cat toss_*.log collect.log

# an element that is lost is submitted again
rm -rf toss_array
submit --array=1,2,4 array.sbatch > job
submit --dependency=afterany:"$(cat job)" collect.sbatch > job
await_jobs
grep -q '"status": "running"' toss_array/run.json || fail "a part is missing, and it is called done"
submit --array=3 array.sbatch > job
await_jobs
same_tables toss_array || cat toss_*.log collect.log

# a solve
submit solve.sbatch > job
await_jobs
expect 3 cqopt solve toss.cfg --set optimizer.name=cmaes --set optimizer.max_evaluations=40 --output one --quiet
cmp one/evals.bin toss_solve/evals.bin || fail "the solve differs: $(cat solve.log)"
grep -q 'rank 2 of 3 on .* takes part' toss_solve/log.txt || fail "rank 2 took no part: $(cat solve.log)"
finish
