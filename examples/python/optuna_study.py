"""Optuna on a problem file, ask and tell, with a study on the disk that goes on where it was.

    python optuna_study.py [study.db]      # once more: it goes on

The variables get the bounds of the file, or some scales around the start where it has none. A
design that cannot be simulated is told as failed."""

import sys
import tempfile

import numpy as np
import optuna

import cqopt

place = sys.argv[1] if len(sys.argv) > 1 else f"{tempfile.mkdtemp()}/study.db"
TRIALS, MORE = 20, 10  # in all, and at a time

optuna.logging.set_verbosity(optuna.logging.WARNING)
problem = cqopt.load("bounce")
start, scale = problem.start, problem.scale
lower = np.where(np.isfinite(problem.lower), problem.lower, start - 3 * scale)
upper = np.where(np.isfinite(problem.upper), problem.upper, start + 3 * scale)
spaces = {label: optuna.distributions.FloatDistribution(a, b)
          for label, a, b in zip(problem.labels, lower, upper)}


def go_on():
    """MORE trials of the study, as long as there are fewer than TRIALS of them."""
    study = optuna.create_study(storage=f"sqlite:///{place}", study_name=problem.name,
                                load_if_exists=True,
                                sampler=optuna.samplers.TPESampler(seed=len(spaces)))
    if not study.trials:
        study.enqueue_trial(dict(zip(spaces, start)))
    done = len([t for t in study.trials if t.state.is_finished()])
    trials = [study.ask(spaces) for _ in range(min(MORE, TRIALS - done))]
    designs = np.array([[t.params[label] for label in spaces] for t in trials])
    for trial, a in zip(trials, problem.evaluate_many(designs)):
        if a.status == "OK":
            study.tell(trial, a.f)
        else:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
    print(f"{done} trials before, {done + len(trials)} now: best f = {study.best_value:.3g}")
    return study


go_on()
study = go_on()  # as a new process would, that is given the same file
print({name: round(value, 4) for name, value in study.best_params.items()})
