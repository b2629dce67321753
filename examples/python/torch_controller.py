"""A network of torch's drives walker_2d, and learns through the simulator.

Two hidden layers read places and velocities of the seven blocks and a clock, at every tenth step,
and set the four legs. Backward goes through the network and the simulator in turn, so that the
gradient has what the network makes of what it sees. The controller of the file brings the head to
1.44 m in 100 evaluations of Adam.

    python torch_controller.py [episodes] [seed]"""

import sys

import torch

import cqopt
import cqopt.torch

EPISODES = int(sys.argv[1]) if len(sys.argv) > 1 else 100
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
HOLD, PERIOD, HIDDEN = 10, 0.5, 64  # steps, s, units

torch.manual_seed(SEED)
torch.set_num_threads(1)
problem = cqopt.load("walker_2d")
blocks = ["left_outer", "left_inner", "left_hip", "head", "right_hip", "right_inner", "right_outer"]
roll = cqopt.torch.Rollout(
    problem, [f"{b}.position" for b in blocks] + [f"{b}.velocity" for b in blocks], hold=HOLD)
n = len(blocks)


class Policy(torch.nn.Module):
    """What it reads is of size 1: places beside their mean, velocities, the clock."""

    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(4 * n + 2, HIDDEN), torch.nn.Tanh(),
            torch.nn.Linear(HIDDEN, HIDDEN), torch.nn.Tanh(),
            torch.nn.Linear(HIDDEN, len(roll.run.controls)), torch.nn.Tanh())

    def forward(self, z, time):
        place = z[:2 * n].reshape(n, 2)
        place = (place - place.mean(0, keepdim=True)).reshape(-1) / 0.2
        phase = torch.tensor(2 * torch.pi * time / PERIOD)
        seen = torch.cat([place, z[2 * n:], torch.stack([phase.sin(), phase.cos()])])
        return roll.upper[0] * self.net(seen)


def episode(policy):
    """The run of a policy: where the head is at its end [m]."""
    z = roll.reset()
    for k in range(roll.actions):
        z = roll.step(policy(z, k * HOLD * problem.time_step))
    return z[2 * blocks.index("head")]


policy = Policy()
adam = torch.optim.Adam(policy.parameters(), lr=3e-3)
best = 0.0
for i in range(1, EPISODES + 1):
    adam.zero_grad()
    head = episode(policy)
    (-head).backward()
    norm = torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    adam.step()
    if head.item() > best:
        best = head.item()
    if i % 10 == 0 or i in (1, EPISODES):
        print(f"episode {i:3d}: head at {head.item():.3f} m, best {best:.3f} m, |g| {norm:.3g}",
              flush=True)
print(f"head at {best:.3f} m in {EPISODES} episodes; the controller of the file: 1.44 m in 100")
