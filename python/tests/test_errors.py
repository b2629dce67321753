"""Wrong calls are exceptions with the sentence of the library, and the next call works."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import cqopt


def test_wrong_key(program):
    with pytest.raises(cqopt.ConfigError, match='unknown key "stps".*did you mean "steps"') as e:
        cqopt.load("bounce", {"simulation.stps": 3})
    assert (e.value.status, e.value.exit_code) == ("CONFIG", 1) and isinstance(e.value, ValueError)
    said = program("simulate", "bounce", "--set=simulation.stps=3", codes=(1,))
    assert str(e.value) in " ".join(said.split()).replace("cqopt: ", "")


def test_missing_file():
    with pytest.raises(cqopt.FileError, match="cannot read nothing.cfg") as e:
        cqopt.load("nothing.cfg")
    assert isinstance(e.value, OSError) and e.value.status == "IO"


def test_wrong_arrays(small):
    with pytest.raises(cqopt.UsageError, match=r"x\[0\] is nan"):
        small.evaluate([np.nan, 0])
    with pytest.raises(cqopt.UsageError, match=r"\(3,\): bounce has 2 variables"):
        small.evaluate([1.0, 2, 3])
    with pytest.raises(cqopt.UsageError, match="wants"):
        small.evaluate_many([1.0, 2])
    for wrong in (["a", "b"], [1j, 0], None.__class__):
        with pytest.raises(TypeError, match="wants real numbers"):
            small.evaluate(wrong)
    assert np.isfinite(small.evaluate().f)


def test_wrong_runs(finger):
    with finger.run() as run:
        with pytest.raises(cqopt.UsageError, match="reset it"):
            run.advance()
        run.reset()
        with pytest.raises(cqopt.UsageError, match="no observable 'tipp.position'.*tip.position"):
            run.observe("tipp.position")
        with pytest.raises(cqopt.UsageError, match="want"):
            run.advance(3, [1.0])
        with pytest.raises(cqopt.UsageError, match="outside its bounds"):
            run.advance(1, [99.0, 0])
        with pytest.raises(cqopt.UsageError, match="the run of the file ends at 150"):
            run.advance(1000)
        with pytest.raises(cqopt.UsageError, match="keeps no states"):
            run.pull()
        with pytest.raises(cqopt.UsageError, match="not among"):
            run.observe("tip.position", 5)
        with pytest.raises(TypeError):
            run.advance(1, "up")
        with pytest.raises(cqopt.UsageError, match="array of doubles"):
            run.field("x", out=np.empty(3))
        with pytest.raises(cqopt.ConfigError, match="damaged"):
            run.load(bytearray(run.save()[:-1]) + b"?")


def test_after_close():
    problem = cqopt.load("bounce", threads=1)
    run = problem.run()
    closed = problem.run()
    closed.close()
    problem.close()
    problem.close()
    for call in (problem.evaluate, problem.run, lambda: problem.start, closed.reset):
        with pytest.raises(cqopt.UsageError, match="closed before this call"):
            call()
    with pytest.raises(cqopt.UsageError, match="destroyed before this call"):
        run.reset()
    assert closed.step == -1
    context = run._context
    run.close()  # after its problem
    assert cqopt._lib.lib.cq_ctx_bytes(context.handle) == 0


def test_nothing_is_left_of_what_failed():
    for call in (lambda: cqopt.load("bounce", {"simulation.steps": -1}),
                 lambda: cqopt.load("bounce").run().observe("ball.position", 3)):
        with pytest.raises(cqopt.CqoptError):
            call()
    problem = cqopt.load("bounce", threads=1)
    context = problem._context
    for bad in ([1e9, 0], [np.nan, 0]):
        with pytest.raises(cqopt.CqoptError):
            problem.evaluate(bad, gradient=True)
    with problem.run(keep=True) as run:
        with pytest.raises(cqopt.SimulationError):
            run.reset([1e9, 0])
            run.advance(problem.steps)
    problem.close()
    assert cqopt._lib.lib.cq_ctx_bytes(context.handle) == 0


def test_one_call_at_a_time(small):
    # a solve works on a copy, so that its callback may evaluate
    small.solve(max_evaluations=2, callback=lambda r: small.evaluate())
    big = cqopt.load("finger")
    thread = threading.Thread(target=lambda: big.evaluate(gradient=True))
    thread.start()
    while not big._context.busy.locked():
        time.sleep(1e-4)
    with pytest.raises(cqopt.UsageError, match="a call is under way"):
        big.evaluate()
    thread.join()
    assert np.isfinite(big.evaluate().f)


def test_exceptions_of_callbacks(small, tmp_path):
    def fail(record):
        raise RuntimeError("mine")
    with pytest.raises(RuntimeError, match="mine"):
        small.solve(tmp_path / "run", callback=fail)
    assert len(cqopt.read_run(tmp_path / "run").evaluations) == 1


def test_a_folder_in_use(small, tmp_path):
    small.solve(tmp_path, max_evaluations=1)
    with pytest.raises(cqopt.FileError, match="already; give a new folder, or .* resume=True"):
        small.solve(tmp_path, max_evaluations=1)


def test_wrong_settings(small):
    with pytest.raises(cqopt.ConfigError, match="max_evaluation"):
        small.solve(max_evaluation=3)
    with pytest.raises(cqopt.ConfigError, match="learning_rat"):
        cqopt.minimise(lambda x, g: 0.0, [1.0], gradient=False, learning_rat=1)


INTERRUPTED = """
import sys, cqopt
p = cqopt.load("finger", {"simulation.steps": 50}, threads=1)
try:
    p.solve(sys.argv[1], callback=lambda r: print(r.index, flush=True), max_evaluations=1000)
except KeyboardInterrupt as stopped:
    print(type(stopped).__name__, stopped.status, stopped.exit_code, stopped.result.evaluations)
    print(stopped)
print("alive", p.evaluate().f)
"""


def test_ctrl_c(tmp_path, program):
    folder = tmp_path / "run"
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED, str(folder)],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "1\n"
    os.kill(child.pid, signal.SIGINT)
    said, wrong = child.communicate(timeout=60)
    lines = said.splitlines()
    assert child.returncode == 0 and wrong == "", wrong
    kind, status, code, evaluations = lines[-3].split()
    assert (kind, status, code) == ("Interrupted", "INTERRUPTED", "130")
    assert lines[-1].startswith("alive")
    run = cqopt.read_run(folder)
    assert run.status == "INTERRUPTED" and run.exit_code == 130 and run.reason == lines[-2]
    assert run.design is not None and run.evaluations.index[-1] == int(evaluations)
    assert "stopped" in program("show", folder, codes=(0, 130)).lower()


def test_ctrl_c_in_many(small):
    x = np.tile(small.start, (4000, 1))
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        small.evaluate_many(x, gradient=True)
    assert np.isfinite(small.evaluate().f)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
