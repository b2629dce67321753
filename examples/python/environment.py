"""An environment of Gymnasium: one, with a feedback of three lines, and several side by side."""

import time

import gymnasium
import numpy as np

import cqopt.gym

gymnasium.register_envs(cqopt.gym)  # importing it is what makes them known
env = gymnasium.make("cqopt/Finger-v0", hold=5)
names = env.unwrapped.names
tip = 2 * names.index("tip.position")
print("observes", names)

for feedback in (False, True):
    seen, info = env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        # the right muscle pulls while the tip is left of where it is wanted
        pull = 4.0 if feedback and seen[tip] < 0.6 else 0.0
        seen, reward, terminated, truncated, info = env.step(np.array([-pull, pull], np.float32))
        total, over = total + reward, terminated or truncated
    print(f"feedback {feedback}: tip at {seen[tip:tip + 2]}, reward {total:.4f}")
env.close()

many = gymnasium.make_vec("cqopt/FingerRandom-v0", num_envs=4,
                          vectorization_mode="vector_entry_point")
many.reset(seed=1)
steps, begun = 0, time.perf_counter()
while time.perf_counter() - begun < 1.0:
    many.step(many.action_space.sample())
    steps += many.num_envs
print(f"{steps} steps of random targets in a second")
many.close()
