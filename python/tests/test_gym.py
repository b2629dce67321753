"""Environments: Gymnasium's own checks, and that rewards and episodes are those of the file."""

import warnings

import numpy as np
import pytest

import cqopt

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

import cqopt.gym  # noqa: E402



def test_every_control_task_is_there():
    found = {}
    for name in cqopt.builtins():
        with cqopt.load(name) as p:
            found[name] = p.controls > 0
    thrown = {"bottle_network"}  # by its controls, before the first step
    assert {name for name, controls in found.items() if controls} - thrown == set(cqopt.gym.TASKS)
    assert cqopt.gym.env_id("walker_2d") == "cqopt/Walker2d-v0"


@pytest.mark.parametrize("name", cqopt.gym.TASKS)
def test_check_env(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*Box observation space (min|max)imum value is.*")
        warnings.filterwarnings("ignore", ".*symmetric and normalized.*")
        env = gymnasium.make(cqopt.gym.env_id(name))
        check_env(env.unwrapped, skip_render_check=True)


def test_rewards_sum_to_f(finger):
    u = np.array([1.0, -0.5])
    env = gymnasium.make("cqopt/Finger-v0", hold=15).unwrapped
    env.reset(seed=1)
    total, truncated, steps = 0.0, False, 0
    while not truncated:
        seen, reward, terminated, truncated, info = env.step(u)
        total, steps = total + reward, steps + 1
        assert not terminated
    with finger.run() as run:
        run.reset()
        run.advance(150, u)
        assert np.isclose(-total, run.earned().sum(), rtol=1e-12) and steps == 10
        tip = env.names.index("tip.position")
        assert np.allclose(seen[2 * tip:2 * tip + 2], run.observe("tip.position"), rtol=1e-6)
    with pytest.raises(cqopt.UsageError, match="reset it"):
        env.step(u)


def test_what_is_random():
    env = gymnasium.make("cqopt/FingerRandom-v0", sets={"simulation.steps": 2}).unwrapped
    targets = []
    for seed in (1, 2, 1):
        seen, info = env.reset(seed=seed)
        target = info["sets"]["objective.[0].target"]
        assert np.allclose(seen[-2:], target) and 0.425 <= target[0] <= 0.575
        assert np.allclose(target, [float(v) for v in
                                    env.problem.get("objective.[0].target")[1:-1].split(",")])
        targets.append(target)
    assert targets[0] == targets[2] != targets[1]
    assert env.reset()[1]["sets"] != env.reset()[1]["sets"]
    seen, _ = env.reset(options={"sets": {"objective.[0].target": [0.5, 0.5]}})
    assert np.allclose(seen[-2:], 0.5)


def test_failure_ends_the_episode():
    sets = {"actuators.[0].max": 1e7, "simulation.allow_unstable": True}
    env = gymnasium.make("cqopt/Finger-v0", sets=sets, failure_reward=-7).unwrapped
    env.reset(seed=1)
    for _ in range(150):
        _, reward, terminated, truncated, info = env.step(np.array([1e7, 0]))
        if terminated:
            break
    assert terminated and reward == -7 and info["status"] in cqopt._lib.STATUSES and info["error"]
    env.reset()
    assert not env.step(np.zeros(2))[2]


def test_wrong_actions_and_problems():
    env = gymnasium.make("cqopt/Finger-v0").unwrapped
    env.reset(seed=1)
    for wrong in (np.zeros(3), ["left", 0]):
        with pytest.raises(cqopt.UsageError, match="2 numbers: muscle_left, muscle_right"):
            env.step(wrong)
    with pytest.raises(cqopt.UsageError, match="control muscle_left is nan"):
        env.step(np.array([np.nan, 0]))
    env.step(np.array([99.0, -99]))  # is held within the bounds
    assert list(env.run.read_controls(0)) == [4, -4]
    with pytest.raises(cqopt.UsageError, match="velocity_2d has no controls"):
        cqopt.gym.Env("velocity_2d")


def test_side_by_side():
    """The same numbers as one by one, and episodes that begin anew."""
    many = gymnasium.make_vec("cqopt/FingerRandom-v0", num_envs=3,
                              vectorization_mode="vector_entry_point", workers=2,
                              sets={"simulation.steps": 3})
    alone = [gymnasium.make("cqopt/FingerRandom-v0", sets={"simulation.steps": 3}).unwrapped
             for _ in range(3)]
    seen, info = many.reset(seed=5)
    for i, env in enumerate(alone):
        assert np.array_equal(seen[i], env.reset(seed=5 + i)[0])
    rng = np.random.default_rng(0)
    for step in range(5):
        actions = rng.uniform(-4, 4, (3, 2)).astype(np.float32)
        seen, rewards, terminated, truncated, info = many.step(actions)
        for i, env in enumerate(alone):
            if step == 3:
                assert np.array_equal(seen[i], env.reset()[0]) and rewards[i] == 0
                continue
            got = env.step(actions[i])
            assert np.array_equal(seen[i], got[0]) and rewards[i] == got[1]
        assert truncated.all() == (step == 2) and not terminated.any()
    many.close()


CAMERAS = """(
  { name = "top"; size = [12, 6]; eye = [0.6, 0.5, 0.3]; at = [0.6, 0, 0.3]; up = [0, 0, -1];
    width = 1.2; far = 0.9; },
  { name = "ego"; size = [5, 5]; kind = "perspective"; eye = [0.04, 0.2, 0.1];
    at = [1, 0, 0.1]; fov = 1.5; near = 0.02; far = 2; on = "obstacles.[0]"; } )"""


def test_depth_images():
    """A dict of numbers and images, which are those of a run; and one image alone, or none."""
    sets = {"cameras": CAMERAS, "simulation.steps": 60}
    env = gymnasium.make("cqopt/Bulldozing-v0", sets=sets).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*Box observation space (min|max)imum value is.*")
        warnings.filterwarnings("ignore", ".*symmetric and normalized.*")
        check_env(env, skip_render_check=True)
    assert env.observation_space["top"].shape == (6, 12)
    seen, _ = env.reset(seed=1)
    seen = env.step([0.3, 0.0])[0]
    with cqopt.load("bulldozing", sets, threads=1) as p, p.run() as run:
        run.reset()
        run.advance(20, [0.3, 0.0])
        assert list(run.images) == ["top", "ego"] and run.images["top"].unit == "m"
        for name in run.images:
            assert np.array_equal(seen[name], run.look(name).astype(np.float32))
        assert run.look("top").min() < 0.45 and abs(run.look("top").max() - 0.5) < 1e-9
        with pytest.raises(cqopt.UsageError, match="has no gradient"):
            run.seed("top", 1.0)
        with pytest.raises(cqopt.UsageError, match="no camera 'none'"):
            run.look("none")
    one = gymnasium.make("cqopt/Bulldozing-v0", sets=sets, images=["ego"])
    assert set(one.observation_space) == {"state", "ego"}
    none = gymnasium.make("cqopt/Bulldozing-v0", sets=sets, images=[])
    assert isinstance(none.observation_space, gymnasium.spaces.Box)
    many = gymnasium.make_vec("cqopt/Bulldozing-v0", num_envs=2, sets=sets)
    many.reset(seed=1)
    together = many.step(np.array([[0.3, 0.0], [0.3, 0.0]]))[0]
    assert together["ego"].shape == (2, 5, 5) and np.array_equal(together["ego"][1], seen["ego"])
    many.close()
