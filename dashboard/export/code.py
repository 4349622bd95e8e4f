"""The Python that gives the numbers of a scenario again."""

from dashboard.scenario import Scenario
from dpgep_core.release import Setting

COMMON = ("relation", "as_if", "noise", "bounds")


def python_code(scenario: Scenario, algorithm: str) -> str:
    """A program that prints what the page shows of one algorithm."""
    setting, plain = scenario.setting(algorithm), Setting()
    given = {"model": setting.model, "algorithm": algorithm, "epsilon": setting.epsilon, "seed": setting.seed}
    given |= {name: value for name in ("delta", "n_components") if (value := getattr(setting, name)) is not None}
    given |= {name: value for name in COMMON if (value := getattr(setting, name)) != getattr(plain, name)}
    given |= dict(setting.params)
    lines = [f"    {name}={value!r}," for name, value in given.items()]
    return "\n".join(
        [
            "from dpgep_core import evaluate, load_dataset, solve",
            "",
            f"data = load_dataset({scenario.dataset!r})",
            "release = solve(",
            "    data,",
            *lines,
            ")",
            'result = evaluate(release, data, classifiers=("lda",))  # reads the private rows',
            'print("mean |cosine|", result.mean_cosine_similarity)',
            'print("mean principal angle", result.principal_angles.mean())',
            "for name, scores in result.accuracy.items():",
            '    print("accuracy", name, scores.private.accuracy, "exact", scores.non_private.accuracy)',
            'print("accounted", release.accounted, "claimed", release.claimed)',
            "",
        ]
    )
