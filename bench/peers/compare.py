"""Times cqopt beside its peers, scene by scene and in turns, and checks that they work out the same
numbers. run.sh starts it."""

import argparse
import csv
import importlib
import os
import platform
import subprocess
import sys

import numpy as np

import scenes

# both sides compute in single precision over hundreds of steps with contact
TOLERANCE = 1e-3


class Cqopt:
    def __init__(self, program, folder, scene, threads, runs):
        self.scene_file = os.path.join(folder, scene.name + ".txt")
        self.gradient_file = os.path.join(folder, scene.name + ".gradient.txt")
        scene.write(self.scene_file)
        self.command = [program, self.scene_file, str(threads), str(runs), self.gradient_file]
        # as the program does for itself: threads that wait sleep after microseconds
        self.environment = {"GOMP_SPINCOUNT": "2000", **os.environ}

    def run(self):
        """loss, gradient, seconds forward, seconds back"""
        done = subprocess.run(self.command, env=self.environment, check=True, text=True,
                              stdout=subprocess.PIPE)
        loss, forward, backward = (float(word) for word in done.stdout.split())
        return loss, np.loadtxt(self.gradient_file), forward, backward


class Peer:
    def __init__(self, module, scene):
        self.peer = module.Peer(scene)

    def run(self):
        forward = self.peer.forward()
        backward = self.peer.backward()
        return float(self.peer.loss_value()), self.peer.gradient().ravel(), forward, backward


def machine():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return f"{line.split(':')[1].strip()}, {os.cpu_count()} cores"
    return platform.processor()


def difference(a, b):
    return float(np.abs(a - b).max() / np.abs(b).max())


def measure(sides, rounds):
    """Least times of each side, and what it found last. The first run of a peer compiles."""
    found = {}
    for round_ in range(rounds + 1):
        for name, side in sides.items():
            loss, gradient, forward, backward = side.run()
            if round_ > 0:
                old = found.get(name, (0, 0, np.inf, np.inf))
                found[name] = (loss, gradient, min(forward, old[2]), min(backward, old[3]))
    return found


def rows_of(scene, threads, found, versions):
    loss, gradient, forward, backward = found["cqopt"]
    for name, (peer_loss, peer_gradient, peer_forward, peer_backward) in found.items():
        full, peer_full = forward + backward, peer_forward + peer_backward
        yield {
            "scene": scene.name, "particles": scene.n, "steps": scene.steps, "threads": threads,
            "side": name, "forward_s": f"{peer_forward:.4g}", "gradient_s": f"{peer_full:.4g}",
            "forward_ns": f"{1e9 * peer_forward / scene.n / scene.steps:.1f}",
            "gradient_ns": f"{1e9 * peer_full / scene.n / scene.steps:.1f}",
            "forward_ratio": f"{peer_forward / forward:.2f}",
            "gradient_ratio": f"{peer_full / full:.2f}",
            "loss_difference": f"{difference(np.array([peer_loss]), np.array([loss])):.1e}",
            "gradient_difference": f"{difference(peer_gradient, gradient):.1e}",
            "version": versions.get(name, ""), "machine": machine(),
        }


def print_row(row):
    print(f"{row['scene']:14s} {row['side']:7s} {row['particles']:7d} {row['steps']:6d}"
          f" {row['forward_s']:>9s} {row['gradient_s']:>9s} {row['forward_ns']:>8s}"
          f" {row['gradient_ns']:>8s} {row['forward_ratio']:>7s} {row['gradient_ratio']:>8s}"
          f" {row['gradient_difference']:>8s}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", required=True, help="the program bench_peer")
    options.add_argument("--folder", required=True, help="where scenes and caches are kept")
    options.add_argument("--csv", required=True)
    options.add_argument("--threads", type=int, default=os.cpu_count())
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--runs", type=int, default=2, help="of cqopt in a round (default: 2)")
    options.add_argument("--scenes", nargs="+", default=list(scenes.ALL), choices=list(scenes.ALL))
    options.add_argument("--peers", nargs="+", default=["taichi", "warp"], choices=["taichi", "warp"])
    options = options.parse_args()

    peers = {name: importlib.import_module("peer_" + name) for name in options.peers}
    versions = {name: module.start(options.threads, options.folder)
                for name, module in peers.items()}
    print(f"{machine()}; {options.threads} threads, single precision; {', '.join(versions.values())}\n")
    print(f"{'':37s} {'seconds':^19s} {'ns a p.-step':^17s} {'times cqopt':^16s}")
    print(f"{'scene':14s} {'side':7s} {'partic.':>7s} {'steps':>6s} {'forward':>9s} {'gradient':>9s}"
          f" {'forward':>8s} {'gradient':>8s} {'forward':>7s} {'gradient':>8s} {'differs':>8s}")
    rows = []
    for name in options.scenes:
        scene = scenes.ALL[name]()
        sides = {"cqopt": Cqopt(options.program, options.folder, scene, options.threads,
                                options.runs)}
        sides.update({peer: Peer(module, scene) for peer, module in peers.items()})
        found = measure(sides, options.rounds)
        for row in rows_of(scene, options.threads, found, versions):
            print_row(row)
            rows.append(row)
        for module in peers.values():
            module.forget()
    with open(options.csv, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    apart = [row for row in rows if not float(row["gradient_difference"]) <= TOLERANCE]  # NaN, too
    for row in apart:
        print(f"{row['scene']}: the gradients of cqopt and {row['side']} differ by "
              f"{row['gradient_difference']}: the times compare different things", file=sys.stderr)
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
