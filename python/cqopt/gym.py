"""Environments of Gymnasium: controls of a problem file from outside, rewarded by its objective.

    import cqopt.gym
    import gymnasium
    env = gymnasium.make("cqopt/Finger-v0")

Needs gymnasium. Importing it makes the environments known. A copy of Env is for one thread;
VectorEnv steps several side by side."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Optional, Sequence, Union

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

from . import _lib
from ._lib import address, decoded, lib
from ._text import Sets, set_texts
from .errors import ConfigError, UsageError
from .problem import Problem, load


class _Task(NamedTuple):
    hold: int
    more: tuple[str, ...] = ()


# The built-in problems that have controls: steps of the simulation that an action holds, and what
# is observed beside places and velocities.
TASKS = {
    "arm_codesign": _Task(20), "arm_codesign_3d": _Task(20), "arm_codesign_full": _Task(20),
    "arm_fixed_100": _Task(20), "arm_fixed_215": _Task(20), "arm_fixed_300": _Task(20),
    "bulldozing": _Task(20, ("*.unevenness",)), "bulldozing_goal": _Task(20),
    "cable_finger": _Task(50),
    "conveyor_2d": _Task(100), "diffmpm3d_crawler": _Task(7), "diffmpm_walker": _Task(11),
    "finger": _Task(1), "finger_random": _Task(1), "gait_codesign": _Task(10),
    "excavation_arm": _Task(20), "excavation_panda": _Task(20), "gear_tower": _Task(20),
    "pendulum_water": _Task(20, ("pole.turn_z", "pole.spin_z", "cart.turn_z", "cart.spin_z")),
    "piston_2d": _Task(25), "pneumatic_leg": _Task(90), "pneunet": _Task(60),
    "push_t": _Task(20, ("tee.turn_z", "tee.spin_z")), "reach": _Task(20),
    "arm_3d": _Task(5), "crawler": _Task(10), "hexapod": _Task(10), "quadruped": _Task(10),
    "runner_3d_codesign": _Task(10),
    "rolling_ball": _Task(10), "rolling_hill": _Task(10), "walker_2d": _Task(1),
    "wheel_on_sand": _Task(20),
}


def env_id(name: str) -> str:
    """"walker_2d": "cqopt/Walker2d-v0"."""
    words = name.split("_")
    return "cqopt/" + "".join(word[:1].upper() + word[1:] for word in words) + "-v0"


def register() -> None:
    """Makes the environments known to gymnasium; importing cqopt.gym has done it."""
    for name, task in TASKS.items():
        if env_id(name) not in gymnasium.registry:
            gymnasium.register(
                env_id(name), entry_point="cqopt.gym:Env", vector_entry_point="cqopt.gym:VectorEnv",
                kwargs={"problem": name, "hold": task.hold, "more": task.more})


def _numbers(text: str) -> np.ndarray:
    """Numbers as a problem file writes them, "[0.4, 0.5]" or "3"."""
    return np.array([float(word) for word in text.strip("[]() ").split(",") if word.strip()])


class _Random:
    """What differs from episode to episode: the settings that the file's scenarios vary."""

    def __init__(self, problem: Problem) -> None:
        self.keys: list[str] = []
        self.choices: list[Any] = []
        sampling = self._get(problem, "scenarios.sampling")
        while sampling is not None:
            place = f"scenarios.vary.[{len(self.keys)}]."
            key = self._get(problem, place + "key")
            if key is None:
                break
            key = key.strip('"')
            width = _numbers(problem.get(key)).size
            self.keys.append(key)
            if sampling.strip('"') == "list":
                self.choices.append(_numbers(problem.get(place + "values")).reshape(-1, width))
            else:
                ends = [np.broadcast_to(_numbers(problem.get(place + e)), (width,))
                        for e in ("low", "high")]
                self.choices.append(tuple(ends))
        self.is_list = bool(self.choices) and isinstance(self.choices[0], np.ndarray)
        self.lists = [problem.get(key).startswith("[") for key in self.keys]

    @staticmethod
    def _get(problem: Problem, path: str) -> Optional[str]:
        try:
            return problem.get(path)
        except ConfigError:
            return None

    def draw(self, rng: np.random.Generator) -> list[np.ndarray]:
        """A scenario of a list, or numbers between the bounds of the others."""
        if self.is_list:
            row = int(rng.integers(len(self.choices[0])))
            return [values[row] for values in self.choices]
        return [rng.uniform(low, high) for low, high in self.choices]

    def sets(self, drawn: Sequence[np.ndarray]) -> dict[str, Any]:
        return {key: list(map(float, v)) if several else float(v[0])
                for key, v, several in zip(self.keys, drawn, self.lists)}


class Env(gymnasium.Env):
    """A problem file with controls as an environment.

    problem: a name or path; sets: settings as of --set. An action [controls] is held for `hold`
    steps of the simulation. An observation [k] is float32: the numbers of `observe` one after the
    other (None: place and velocity of each body and group, and `more`), in SI units; then what the
    file's scenarios vary, such as a target. The reward is what the terms of the objective earn in
    the action, with the sign turned: of an episode it sums to -f. The episode is truncated where
    the file's run ends, and terminated where the simulation fails, with its status in info; the
    reward is failure_reward then.

    With cameras an observation is a dict: "state" has the numbers, and each camera of `images`
    (None: all of the file's) its depth image [high, wide], float32, from near to far [m].

    reset(seed) draws anew what the scenarios of the file vary; reset(options={"sets": {path:
    value}}) gives it instead. One thread unless threads says otherwise."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, problem: str = "finger", sets: Sets = None, hold: int = 1,
                 observe: Optional[Sequence[str]] = None, more: Sequence[str] = (),
                 images: Optional[Sequence[str]] = None,
                 failure_reward: float = 0.0, threads: int = 1,
                 render_mode: Optional[str] = None) -> None:
        if hold < 1:
            raise UsageError(f"an action cannot be held for {hold} steps", "USAGE", 1)
        self.render_mode = render_mode
        self.hold, self.failure_reward = hold, float(failure_reward)
        self._name, self._sets, self._threads = problem, set_texts(sets), threads
        with load(problem, self._sets, threads=threads) as whole:
            self._random = _Random(whole)
        if self._random.keys:
            self._sets.append("scenarios=unset")
        self._wanted, self._more, self._cameras = observe, tuple(more), images
        self._open({})
        if not self.run.controls:
            raise UsageError(f"{problem} has no controls", "USAGE", 1)
        self._lower = np.array([c.lower for c in self.run.controls])
        self._upper = np.array([c.upper for c in self.run.controls])
        # float32 as learners want it; numbers that rounding takes outside are put back
        self.action_space = spaces.Box(self._lower.astype(np.float32),
                                       self._upper.astype(np.float32), dtype=np.float32)
        numbers = spaces.Box(-np.inf, np.inf, (self._seen.size,), dtype=np.float32)
        self.observation_space: spaces.Space = numbers
        if self._images:
            self.observation_space = spaces.Dict(
                {"state": numbers, **{name: self._depths(name) for name in self._images}})

    def _open(self, sets: Any) -> None:
        """Another run of the file with these settings, whose arrays are made here once."""
        self.problem = load(self._name, self._sets + set_texts(sets), threads=self._threads)
        self.run = self.problem.run()
        names = self._wanted if self._wanted is not None else self._default() + list(self._more)
        found = [self.run._find(0, name) for name in names]
        self.names = list(names)
        varied = sum(v.size for v in self._random.draw(np.random.default_rng(0)))
        self._seen = np.zeros(sum(q.shape[0] for q in found) + varied)
        self._terms = np.zeros(self.problem.terms)
        self._u = np.zeros(len(self.run.controls))
        # addresses are made here: numpy takes a microsecond for each
        self._places = (address(self._terms), self._terms.size, address(self._u), self._u.size)
        self._reads = []
        at = address(self._seen) or 0
        for q in found:
            self._reads.append((q.index, at, q.shape[0]))
            at += 8 * q.shape[0]
        self._open_images()
        self._at, self._since, self._failed = -1, -1, True

    def _open_images(self) -> None:
        """Room for what cameras see; one that is not there is refused here."""
        names = self._cameras if self._cameras is not None else list(self.run.images)
        self._images = {name: np.zeros(self.run._find(3, name).shape) for name in names}
        if "state" in self._images:
            raise UsageError("the numbers are called \"state\": give the camera another name",
                             "USAGE", 1)

    def _depths(self, name: str) -> spaces.Box:
        place = f"cameras.[{self.run.images[name].index}]."
        near, far = (np.float32(self.problem.get(place + end)) for end in ("near", "far"))
        return spaces.Box(near, far, self._images[name].shape, dtype=np.float32)

    def _default(self) -> list[str]:
        ends = (".position", ".velocity")
        names = [name for name in self.run.observables if name.endswith(ends)]
        bodies = [name for name in names if not name.startswith("*.")]
        return bodies or names

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        drawn = self._random.draw(self.np_random)
        sets = (options or {}).get("sets", self._random.sets(drawn))
        if sets:
            self.run.close()
            self.problem.close()
            self._open(sets)
            texts = [self.problem.get(key) for key in self._random.keys]
            if texts:
                varied = np.concatenate([_numbers(text) for text in texts])
                self._seen[self._seen.size - varied.size:] = varied
        self.run.reset()
        self._at, self._since, self._failed = 0, -1, False
        self._look()
        return self._observation(), {"sets": dict(sets)}

    def _look(self) -> None:
        run, observe, step = self.run._run, lib.cq_run_observe, self._at
        for index, place, count in self._reads:
            observe(run, index, step, place, count)
        for name, image in self._images.items():
            lib.cq_run_look(run, self.run.images[name].index, address(image), image.size)

    def _observation(self) -> Any:
        numbers = self._seen.astype(np.float32)
        if not self._images:
            return numbers
        return {"state": numbers, **{name: image.astype(np.float32)
                                     for name, image in self._images.items()}}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        steps = min(self.hold, self.run.steps - self._at)
        if self._failed or steps == 0:
            raise UsageError("the episode is over, or has not begun: reset it", "USAGE", 1)
        terms, n_terms, u, n_u = self._places
        try:
            self._u[:] = action
        except (TypeError, ValueError):
            raise UsageError(f"an action is {n_u} numbers: " + ", ".join(
                c.name for c in self.run.controls), "USAGE", 1) from None
        np.maximum(self._u, self._lower, out=self._u)
        np.minimum(self._u, self._upper, out=self._u)
        with self.run._context as context:
            status = lib.cq_run_advance(self.run._run, steps, u, n_u)
            if status:
                return self._ended(context, status)
            self._at += steps
            self._look()
            lib.cq_run_earned(self.run._run, self._since, terms, n_terms)
        self._since = self._at
        return (self._observation(), -float(sum(self._terms.tolist())), False,
                self._at == self.run.steps, {})

    def _ended(self, context: Any, status: int) -> Any:
        """A simulation that failed ends the episode; any other failure is an exception."""
        sentence = decoded(lib.cq_ctx_error(context.handle))
        if not lib.cq_status_is_numeric(status):
            raise _lib.failure(status, sentence)
        self._failed = True
        return (self._observation(), self.failure_reward, True, False,
                {"status": _lib.status_name(status), "error": sentence})

    def close(self) -> None:
        self.run.close()
        self.problem.close()
        super().close()


class VectorEnv(gymnasium.vector.VectorEnv):
    """num_envs copies of Env, stepped by `workers` threads (0: as many as there are cores), each
    with contexts of its own. An episode that has ended begins anew with the next step."""

    metadata: dict[str, Any] = {"render_modes": [],
                                "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __init__(self, problem: str = "finger", num_envs: int = 1, workers: int = 0,
                 **options: Any) -> None:
        self.num_envs = num_envs
        self.envs = [Env(problem, **options) for _ in range(num_envs)]
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        workers = min(workers or len(os.sched_getaffinity(0)), num_envs)
        self._pool = ThreadPoolExecutor(workers)
        self._parts = [range(w, num_envs, workers) for w in range(workers)]
        self._seen: list[Any] = [None] * num_envs
        self._over = np.zeros(num_envs, bool)

    def _each(self, work: Any) -> list[Any]:
        """work(i) of each environment, in its worker."""
        results: list[Any] = [None] * self.num_envs

        def part(which: range) -> None:
            for i in which:
                results[i] = work(i)
        for done in [self._pool.submit(part, which) for which in self._parts]:
            done.result()
        return results

    def _together(self) -> Any:
        """What all see, as the space of observations has it."""
        room = create_empty_array(self.single_observation_space, self.num_envs)
        return concatenate(self.single_observation_space, self._seen, room)

    def reset(self, *, seed: Union[None, int, Sequence[Optional[int]]] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        seeds = ([None if seed is None else seed + i for i in range(self.num_envs)]
                 if seed is None or isinstance(seed, (int, np.integer)) else list(seed))
        got = self._each(lambda i: self.envs[i].reset(seed=seeds[i], options=options))
        infos: dict[str, Any] = {}
        for i, (seen, info) in enumerate(got):
            self._seen[i] = seen
            infos = self._add_info(infos, info, i)
        self._over[:] = False
        return self._together(), infos

    def _one(self, i: int, action: np.ndarray) -> Any:
        if self._over[i]:
            seen, info = self.envs[i].reset()
            return seen, 0.0, False, False, info
        return self.envs[i].step(action)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict]:
        got = self._each(lambda i: self._one(i, actions[i]))
        infos: dict[str, Any] = {}
        for i, result in enumerate(got):
            self._seen[i] = result[0]
            infos = self._add_info(infos, result[4], i)
        rewards = np.array([result[1] for result in got])
        terminated, truncated = (np.array([r[k] for r in got], dtype=bool) for k in (2, 3))
        self._over = terminated | truncated
        return self._together(), rewards, terminated, truncated, infos

    def close_extras(self, **rest: Any) -> None:
        self._pool.shutdown()
        for env in self.envs:
            env.close()


register()
