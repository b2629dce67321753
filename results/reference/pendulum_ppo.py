"""PPO on pendulum_water, beside the network that gradients train: runs of make_pendulum.sh.

    pendulum_ppo.py train FOLDER SEED SECONDS   for so many processor seconds, half of them in the
                                                file's first stage, goes on where it stopped
    pendulum_ppo.py turns FOLDER SEED WALLS SWAY...   rows of fluid_pendulum.csv

The policy has the network's inputs, layers and pushes, and holds a push for the published 0.05 s.
Its reward is what the objective earns, with the sign turned. FOLDER/ppo_SEED.csv has simulated
steps and seconds after each update."""

import csv
import os
import pathlib
import sys
import time

import gymnasium
import numpy as np

import cqopt.gym
from ppo import SETTINGS

HOLD = 20  # steps that a push is held for
STAGES = (400, 1200)  # steps of an episode
LOOKED = (400, 1200, 2400)  # steps after which a policy is looked at
ENVS, EPISODES = 4, 16  # side by side, and for an update


class Pendulum(gymnasium.Wrapper):
    """Observations as the file's controller scales them, actions of size one, rewards that are
    squares of the lean [rad] on average over an action."""

    def __init__(self, steps, sets=None):
        env = gymnasium.make(cqopt.gym.env_id("pendulum_water"), hold=HOLD, disable_env_checker=True,
                             sets={"stages": None, "simulation.steps": steps, **(sets or {})},
                             observe=["pole.turn_z", "pole.spin_z", "cart.turn_z", "cart.spin_z",
                                      "cart.position", "cart.velocity"], more=())
        super().__init__(env.unwrapped)
        self.most = env.action_space.high
        self.action_space = gymnasium.spaces.Box(-1, 1, self.most.shape, np.float32)
        with cqopt.load("pendulum_water") as problem:
            self.second = 1.0 / (HOLD * float(problem.get("simulation.time_step")))

    @staticmethod
    def told(seen):
        return (seen * [5, 1, 5, 1, 1, 1, 1, 1] - [0, 0, 0, 0, 3, 1.6, 0, 0]).astype(np.float32)

    def reset(self, **options):
        seen, info = self.env.reset(**options)
        return self.told(seen), info

    def step(self, action):
        seen, reward, terminated, truncated, info = self.env.step(self.most * action)
        self.turn = float(seen[0])
        return self.told(seen), self.second * reward, terminated, truncated, info


def train(folder, seed, seconds):
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

    torch.set_num_threads(1)
    path, saved = folder / f"ppo_{seed}.csv", folder / f"ppo_{seed}.zip"
    rows, spent = [], 0.0
    if saved.exists():
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        spent = float(rows[-1][2])
    for stage, steps in enumerate(STAGES):
        if spent >= seconds * (stage + 1) / len(STAGES):
            continue
        envs = VecMonitor(DummyVecEnv([lambda: Pendulum(steps)] * ENVS))
        batch = EPISODES * STAGES[0] // HOLD
        if saved.exists():
            model = PPO.load(saved, envs, device="cpu", n_steps=batch // ENVS)
        else:
            model = PPO("MlpPolicy", envs, seed=seed, device="cpu", n_steps=batch // ENVS,
                        **{**SETTINGS, "learning_rate": 1e-3, "gamma": 0.99, "policy_kwargs": {
                            **SETTINGS["policy_kwargs"], "net_arch": [16, 16]}})
        while spent < seconds * (stage + 1) / len(STAGES):
            begun = time.process_time()
            model.learn(batch, reset_num_timesteps=False)
            spent += time.process_time() - begun
            earned = np.mean([info["r"] / info["l"] for info in model.ep_info_buffer])
            rows.append([stage + 1, model.num_timesteps * HOLD, f"{spent:.1f}", f"{-earned:.4g}"])
            print(seed, *rows[-1], flush=True)
            with open(path, "w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(rows)
            model.save(saved.with_suffix(".new.zip"))
            os.replace(saved.with_suffix(".new.zip"), saved)


def turns(folder, seed, walls, sways):
    """How far the pole turns under the policy without its noise, as others in the table."""
    from stable_baselines3 import PPO

    model = PPO.load(folder / f"ppo_{seed}.zip", device="cpu")
    env = Pendulum(LOOKED[-1], {f"boundaries.obstacles.[{i}].sway": s for i, s in enumerate(sways)})
    seen, _ = env.reset()
    most, held = 0.0, 0.0
    for steps in range(HOLD, LOOKED[-1] + 1, HOLD):
        action, _ = model.predict(seen, deterministic=True)
        seen = env.step(action)[0]
        most, now = max(most, abs(env.turn)), steps / HOLD / env.second
        held = now if most <= 0.2 else held
        if steps in LOOKED:
            print(f"ppo_{seed},{walls},{now:.4g},{most:.4g},{held:.4g}")


if __name__ == "__main__":
    folder, seed = pathlib.Path(sys.argv[2]), int(sys.argv[3])
    if sys.argv[1] == "train":
        train(folder, seed, float(sys.argv[4]))
    else:
        turns(folder, seed, sys.argv[4], sys.argv[5:])
