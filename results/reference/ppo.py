"""PPO beside gradients, after ChainQueen's figure 7: runs of make_ppo.sh, and their table.

    ppo.py train FOLDER TASK SEED [SHARE]   PPO of stable-baselines3, up to a share of its budget;
                                            goes on where it stopped
    ppo.py solve FOLDER TASK SEED           the optimizer that the problem's file has, by gradients
    ppo.py table FOLDER                     all of them, to standard output

Each run leaves FOLDER/METHOD_TASK_SEED.csv: simulations, processor seconds of one thread, and what
the problem is about, in m: the distance of the tip from its target at the end, for random targets
its mean over 64 that the run has not seen, or where the walker's head is. Of PPO it is that of the
policy without its noise. Such looks are not counted, neither as simulations nor as time."""

import csv
import os
import pathlib
import sys
import time
from dataclasses import dataclass

import numpy as np

import cqopt

UNSEEN = 64  # targets, of seed 99
BACKWARD = 2  # simulations that a gradient counts as


@dataclass
class Task:
    actions: int  # of an episode
    budget: int  # control steps of the simulation for PPO
    every: int  # updates between two looks
    random: bool = False


TASKS = {
    "finger": Task(actions=30, budget=2_000_000, every=4),
    "finger_random": Task(actions=30, budget=2_000_000, every=8, random=True),
    "walker_2d": Task(actions=60, budget=2_400_000, every=1),
}
ENVS, EPISODES = 8, 64  # side by side, and for an update
SETTINGS = {"learning_rate": 3e-4, "batch_size": 64, "n_epochs": 10, "gamma": 1.0,
            "gae_lambda": 0.95, "clip_range": 0.2, "policy_kwargs": {"log_std_init": -1.0}}


def unseen():
    """[64, 2] targets from the square that the file draws from."""
    return np.random.default_rng(99).uniform([0.425, 0.525], [0.575, 0.675], (UNSEEN, 2))


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    """Whole or not at all."""
    part = path.with_suffix(".part")
    with open(part, "w", newline="") as file:
        table = csv.DictWriter(file, ["simulations", "seconds", "value"])
        table.writeheader()
        table.writerows(rows)
    os.replace(part, path)


# --- gradients ---


def value_at(name, x, f):
    """What f is about; of random targets at x, on each one that was not seen."""
    if not TASKS[name].random:
        return -f if name == "walker_2d" else f ** 0.5
    distances = []
    for target in unseen():
        sets = {"scenarios": None, "objective.[0].target": target}
        with cqopt.load(name, sets, threads=1) as problem:
            distances.append(problem.evaluate(x).f ** 0.5)
    return float(np.mean(distances))


def due(n):
    """Random targets are looked at now and then, as a look is 64 simulations."""
    return n in (1, 10, 30) or n % 100 == 0


def solve(name, seed, folder):
    path = folder / f"gradients_{name}_{seed}.csv"
    if path.exists():
        return
    rows, spent, simulations = [], [time.process_time(), 0.0], 0

    def each(record):
        nonlocal simulations
        begun = time.process_time()
        simulations += 1 + BACKWARD * (record.grad is not None)
        if not TASKS[name].random or due(record.index):
            rows.append({"simulations": simulations,
                         "seconds": f"{begun - spent[0] - spent[1]:.3f}",
                         "value": f"{value_at(name, record.x, record.f):.6g}"})
        spent[1] += time.process_time() - begun

    with cqopt.load(name, threads=1, seed=seed) as problem:
        spent[0] = time.process_time()
        problem.solve(callback=each, verify_refined=False,
                      **({"stop_at_target": False} if name == "finger" else {}))
    write(path, rows)


# --- PPO ---


def environments():
    """Imported here, so that the table needs no torch."""
    import gymnasium
    import cqopt.gym  # noqa: F401  makes the environments known

    class Shaped(gymnasium.Wrapper):
        """The reward is the way made in an action, in units of 0.01 m: towards the target, or of
        the head, so that an episode's is what the objective is about. Places, velocities, the
        target, the share of the time gone and actions are of size one."""

        def __init__(self, env, name):
            super().__init__(env)
            self.task, self.name = TASKS[name], name
            self.bodies = len(env.unwrapped.names) // 2
            self.head = env.unwrapped.names.index(
                "head.position" if name == "walker_2d" else "tip.position") // 2
            self.fixed = None if self.task.random else np.array([0.6, 0.6])
            size = env.observation_space.shape[0] + 1
            self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32)
            self.most = env.action_space.high
            self.action_space = gymnasium.spaces.Box(-1, 1, self.most.shape, np.float32)

        def told(self, seen):
            parts = seen[:4 * self.bodies].reshape(-1, 2, 2).astype(float)
            place = parts[:, 0]
            beside = place.mean(0) if self.name == "walker_2d" else self.first
            more = (seen[4 * self.bodies:] - [0.5, 0.6]) / 0.15 if self.task.random else []
            return np.concatenate([((place - beside) / 0.1).ravel(), parts[:, 1].ravel(), more,
                                   [self.count / self.task.actions]]).astype(np.float32)

        def gain(self, seen):
            """What the objective is about, the more the better [m]."""
            place = seen[4 * self.head:4 * self.head + 2].astype(float)
            if self.name == "walker_2d":
                return place[0]
            return -np.linalg.norm(place - (seen[-2:] if self.fixed is None else self.fixed))

        def reset(self, **options):
            seen, info = self.env.reset(**options)
            self.count, self.now = 0, self.gain(seen)
            self.first = seen[:4 * self.bodies].reshape(-1, 2, 2)[:, 0].astype(float)
            return self.told(seen), info

        def step(self, action):
            seen, _, terminated, truncated, info = self.env.step(self.most * action)
            self.count, before, self.now = self.count + 1, self.now, self.gain(seen)
            return self.told(seen), (self.now - before) / 0.01, terminated, truncated, info

    def make(name):
        with cqopt.load(name) as problem:
            hold = problem.steps // TASKS[name].actions
        return Shaped(gymnasium.make(cqopt.gym.env_id(name), hold=hold,
                                     disable_env_checker=True).unwrapped, name)

    return make


def look(model, env, name):
    """The value of the policy without its noise."""
    values = []
    for target in unseen() if TASKS[name].random else [None]:
        options = None if target is None else {
            "sets": {"objective.[0].target": list(map(float, target))}}
        seen, _ = env.reset(options=options)
        over = False
        while not over:
            action, _ = model.predict(seen, deterministic=True)
            seen, _, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
        values.append(env.now if name == "walker_2d" else -env.now)
    return float(np.mean(values))


def train(name, seed, folder, share=1.0):
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)
    task = TASKS[name]
    path, saved = (folder / f"ppo_{name}_{seed}{end}" for end in (".csv", ".zip"))
    make = environments()
    envs = DummyVecEnv([lambda: make(name)] * ENVS)
    apart = make(name)
    steps = apart.env.hold  # of the simulation in an action
    # whole episodes for an update: nothing of an episode is lost where a run is cut off
    batch = EPISODES * task.actions
    if saved.exists():
        model = PPO.load(saved, envs, device="cpu")
        model.set_random_seed(1000 * seed + model.num_timesteps % 1000)  # not the draws so far
        rows = [r for r in rows_of(path) if int(r["simulations"]) <= model.num_timesteps // task.actions]
    else:
        model = PPO("MlpPolicy", envs, seed=seed, device="cpu", n_steps=batch // ENVS, **SETTINGS)
        model.seconds = 0.0  # is saved with it
        rows = [{"simulations": 0, "seconds": 0, "value": f"{look(model, apart, name):.6g}"}]
    while model.num_timesteps * steps < share * task.budget:
        begun = time.process_time()
        model.learn(batch, reset_num_timesteps=False)
        model.seconds += time.process_time() - begun
        if model.num_timesteps // batch % task.every == 0:
            rows.append({"simulations": model.num_timesteps // task.actions,
                         "seconds": f"{model.seconds:.3f}",
                         "value": f"{look(model, apart, name):.6g}"})
            print(name, seed, *rows[-1].values(), flush=True)
        write(path, rows)
        model.save(saved.with_suffix(".new.zip"))
        os.replace(saved.with_suffix(".new.zip"), saved)


# --- all of them ---


def table(folder):
    """Every run with the best value so far, too."""
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["problem", "method", "seed", "simulations", "seconds", "value", "best"])
    for name in TASKS:
        better = max if name == "walker_2d" else min
        for path in sorted(folder.glob(f"*_{name}_[0-9]*.csv")):
            method, seed, best = path.name.split("_")[0], path.stem.split("_")[-1], None
            for row in rows_of(path):
                value = float(row["value"])
                best = value if best is None else better(best, value)
                rows.writerow([name, method, seed, row["simulations"],
                               f"{float(row['seconds']):.1f}", f"{value:.4g}", f"{best:.4g}"])


if __name__ == "__main__":
    folder, which = pathlib.Path(sys.argv[2]), sys.argv[3:]
    if sys.argv[1] == "table":
        table(folder)
    elif sys.argv[1] == "solve":
        solve(which[0], int(which[1]), folder)
    else:
        train(which[0], int(which[1]), folder, *map(float, which[2:]))
