"""An environment of Gymnasium: one, with a feedback of a line, and several side by side."""

import time

import gymnasium
import numpy as np

import cqopt.gym

gymnasium.register_envs(cqopt.gym)  # importing it is what makes them known
env = gymnasium.make("cqopt/Finger-v0", hold=5)
names = env.unwrapped.names
x, v = 2 * names.index("tip.position"), 2 * names.index("tip.velocity")
print("observes", names)

for feedback in (False, True):
    seen, info = env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        # muscles pull the tip to x = 0.6 m, against each other
        pull = 20 * (0.6 - seen[x]) - 3 * seen[v] if feedback else 0.0
        seen, reward, terminated, truncated, info = env.step(np.array([-pull, pull], np.float32))
        total, over = total + reward, terminated or truncated
    print(f"feedback {feedback}: tip at {seen[x:x + 2]}, reward {total:.5f}")
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
