"""TD3 and PPO on the bulldozer of grain_learning.cfg: runs of make_grain_learning.sh, and their table.

    grain_learning.py train FOLDER METHOD SEEN SEED HOURS   METHOD: td3 or ppo; SEEN: depth or profile;
                                                            so many hours of a processor; goes on where
                                                            it stopped
    grain_learning.py straight FOLDER                       no learning: straight on, and then to stand
    grain_learning.py table FOLDER                          all of them, to standard output

An action is forward speed [m/s] and yaw rate [rad/s] between -1 and 1, held for 0.5 s; 40 make an
episode. Noise lasts for several actions: where it is drawn anew for each, a bulldozer that knows
nothing trembles on the spot and never meets the goal. Seen are depth images of both cameras, or
(profile) heights of the sky camera's image, the highest of each 6 x 6 pixels; and place, yaw and
time. Each run leaves FOLDER/METHOD_SEEN_SEED.csv: episodes, actions, processor seconds of one
thread, the return of each episode, and the share of the grains in the box at its end. The table has
means over BLOCK episodes. "straight" has a row for how
many actions the bulldozer drives."""

import csv
import os
import pathlib
import pickle
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# steps of an action [s]; least distance from the walls [m], where the blade's corners have room for a
# grain; actions of an episode; what the reward of an action is about at its worst
HOLD, STEP, AWAY, ACTIONS, WORST = 50, 0.01, 0.75, 40, -15.0
# pixels of the sky camera, each way, whose highest is seen; episodes of a row of the table
START, PIXELS, BLOCK = (0.92, 2.0), 6, 5
# learners see rewards and heights of about 1
REWARD, HEIGHT = 250.0, 0.3
COLUMNS = ["episode", "actions", "seconds", "return", "share"]


def environment(seen):
    """Imported here, so that the table needs no torch and no gymnasium."""
    import gymnasium
    import cqopt.gym

    class Bulldozer(gymnasium.Wrapper):
        """Tracks: controls of the world from speed and yaw rate. They stop before a wall."""

        def __init__(self):
            env = cqopt.gym.Env(str(HERE / "grain_learning.cfg"), hold=HOLD, observe=[],
                                images=["sky"] if seen == "profile" else ["sky", "ego"])
            super().__init__(env)
            self.action_space = gymnasium.spaces.Box(-1, 1, (2,), np.float32)
            self.sizes = {k: s.shape for k, s in env.observation_space.items() if k != "state"}
            pixels = sum(int(np.prod(s)) for s in self.sizes.values())
            high, wide = self.sizes["sky"]
            numbers = pixels if seen == "depth" else (high // PIXELS) * (wide // PIXELS)
            self.observation_space = gymnasium.spaces.Box(-4, 4, (numbers + 5,), np.float32)
            self.scale = {k: (s.low.min(), s.high.max() - s.low.min())
                          for k, s in env.observation_space.items() if k != "state"}

        def told(self, found):
            images = {k: (found[k] - low) / size for k, (low, size) in self.scale.items()}
            if seen == "profile":
                high, wide = self.sizes["sky"]
                blocks = images["sky"].reshape(high // PIXELS, PIXELS, wide // PIXELS, PIXELS)
                images["sky"] = (1.0 - blocks.min(axis=(1, 3))) / HEIGHT
            x, z, yaw = self.pose
            place = [x / 4 - 1, z / 2 - 1, np.sin(yaw), np.cos(yaw), 2 * self.count / ACTIONS - 1]
            return np.concatenate([*(i.ravel() for i in images.values()), place]).astype(np.float32)

        def reset(self, **options):
            found, info = self.env.reset(**options)
            self.pose, self.count = np.array([*START, 0.0]), 0
            return self.told(found), info

        def step(self, action):
            speed, turn = np.clip(np.asarray(action, float), -1, 1)
            x, z, yaw = self.pose
            way = np.array([np.cos(yaw), -np.sin(yaw)]) * speed
            room = np.array([[AWAY, 8 - AWAY], [AWAY, 4 - AWAY]])
            goal = np.clip(np.array([x, z]) + way * HOLD * STEP, room[:, 0], room[:, 1])
            u = np.array([*(goal - [x, z]) / (HOLD * STEP), turn])
            found, reward, terminated, truncated, info = self.env.step(np.clip(u, -1, 1))
            self.pose += u * HOLD * STEP
            self.count += 1
            if terminated:  # grains that were pressed through a wall: as if nothing good came after it
                reward, info["share"] = WORST * (ACTIONS - self.count), 0.0
            elif truncated:
                info["share"] = self.share()
            return self.told(found), reward / REWARD, terminated, truncated, info

        def share(self):
            x = self.env.unwrapped.run.field("x")
            return float(np.mean((x[:, 0] > 5) & (x[:, 0] < 7) & (x[:, 2] > 1) & (x[:, 2] < 3)))

    return Bulldozer()


def rows_of(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    """Whole or not at all."""
    part = path.with_suffix(".part")
    with open(part, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(rows)
    os.replace(part, path)


def make_model(method, env, seed):
    from stable_baselines3 import PPO, TD3
    from stable_baselines3.common.noise import OrnsteinUhlenbeckActionNoise

    if method == "ppo":
        return PPO("MlpPolicy", env, seed=seed, device="cpu", n_steps=400, batch_size=100,
                   gamma=0.98, learning_rate=1e-3, use_sde=True, sde_sample_freq=8,
                   policy_kwargs={"log_std_init": -1.0})
    # images take a gigabyte
    size = 100_000 if env.observation_space.shape[0] < 1000 else 20_000
    return TD3("MlpPolicy", env, seed=seed, device="cpu", buffer_size=size, learning_starts=800,
               train_freq=1, batch_size=64, gamma=0.98, policy_kwargs={"net_arch": [64, 64]},
               action_noise=OrnsteinUhlenbeckActionNoise(np.zeros(2), 0.3 * np.ones(2), dt=1.0))


def keep(model, saved, method):
    """The model and what it has seen; the buffer first, so that a model always has one."""
    if method == "td3":
        with open(saved.with_suffix(".new"), "wb") as file:
            pickle.dump(model.replay_buffer, file, protocol=4)
        os.replace(saved.with_suffix(".new"), saved.with_suffix(".buffer"))
    model.save(saved.with_suffix(".new.zip"))
    os.replace(saved.with_suffix(".new.zip"), saved)


def restored(method, env, saved, seed):
    from stable_baselines3 import PPO, TD3

    if not saved.exists():
        model = make_model(method, env, seed)
        model.seconds = 0.0  # is saved with it
        return model
    model = {"ppo": PPO, "td3": TD3}[method].load(saved, env, device="cpu")
    if method == "td3":
        with open(saved.with_suffix(".buffer"), "rb") as file:
            model.replay_buffer = pickle.load(file)
    model.set_random_seed(1000 * seed + model.num_timesteps % 1000)  # not the draws so far
    return model


def train(folder, method, seen, seed, hours, actions=None):
    """In parts of `actions`, ten episodes by default, which are the episodes of a row each."""
    import torch
    from stable_baselines3.common.callbacks import BaseCallback

    class Episodes(BaseCallback):
        """The return of each episode, as it ends."""

        def _on_rollout_end(self):
            pass

        def _on_step(self):
            total[0] += REWARD * float(self.locals["rewards"][0])
            if self.locals["dones"][0]:
                info = self.locals["infos"][0]
                rows.append({"episode": len(rows) + 1, "actions": self.num_timesteps,
                             "seconds": f"{model.seconds + time.process_time() - begun:.1f}",
                             "return": f"{total[0]:.6g}", "share": f"{info['share']:.4f}"})
                print(method, seen, seed, *rows[-1].values(), flush=True)
                total[0] = 0.0
            return True

    torch.set_num_threads(1)
    path, saved = (folder / f"{method}_{seen}_{seed}{end}" for end in (".csv", ".zip"))
    env = environment(seen)
    model = restored(method, env, saved, seed)
    rows = [r for r in rows_of(path) if int(r["actions"]) <= model.num_timesteps]
    total, begun = [0.0], 0.0
    while model.seconds < 3600 * hours:
        begun = time.process_time()
        model.learn(actions or 400, callback=Episodes(), reset_num_timesteps=False)
        model.seconds += time.process_time() - begun
        write(path, rows)
        keep(model, saved, method)


def straight(folder):
    """What the seeing is worth: full speed for so many actions, and then to stand."""
    env = environment("profile")
    rows = []
    for driven in range(4, 13):
        env.reset()
        begun, total = time.process_time(), 0.0
        for i in range(ACTIONS):
            _, reward, terminated, _, info = env.step([1.0 if i < driven else 0.0, 0.0])
            total += REWARD * reward
            if terminated:
                break
        rows.append({"episode": driven, "actions": i + 1,
                     "seconds": f"{time.process_time() - begun:.1f}", "return": f"{total:.6g}",
                     "share": f"{info['share']:.4f}"})
    write(folder / "straight_none_0.csv", rows)


def mean_of(rows):
    means = {c: np.mean([float(row[c]) for row in rows]) for c in ("return", "share")}
    return {**rows[-1], "return": f"{means['return']:.6g}", "share": f"{means['share']:.4f}"}


def table(folder):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["method", "seen", "seed", *COLUMNS])
    for path in sorted(folder.glob("*_*_[0-9].csv")):
        rows = rows_of(path)
        size = 1 if path.stem.startswith("straight") else BLOCK
        for i in range(size, len(rows) + 1, size):
            row = mean_of(rows[i - size:i])
            out.writerow([*path.stem.split("_"), *(row[c] for c in COLUMNS)])


if __name__ == "__main__":
    if sys.argv[1] == "table":
        table(pathlib.Path(sys.argv[2]))
    elif sys.argv[1] == "straight":
        straight(pathlib.Path(sys.argv[2]))
    else:
        train(pathlib.Path(sys.argv[2]), *sys.argv[3:5], int(sys.argv[5]), float(sys.argv[6]),
              *map(int, sys.argv[7:]))
