"""The Python that gives the numbers of a scenario again."""

import json
from collections.abc import Sequence
from typing import Any

from dashboard.scenario import UPLOAD, WITHOUT_FLAG, Scenario
from dpgep_core.learnt import learnt_sentence
from dpgep_core.plugins import plugin_of
from dpgep_core.release import Setting


def python_code(scenario: Scenario, algorithm: str, learnt: Sequence[str] = ()) -> str:
    """A program that prints what the page shows of one algorithm; ``learnt`` is what was read off the rows."""
    setting, plain = scenario.setting(algorithm), Setting()
    given = {"model": setting.model, "algorithm": algorithm, "epsilon": setting.epsilon, "seed": setting.seed}
    given |= {name: value for name in ("delta", "n_components") if (value := getattr(setting, name)) is not None}
    given |= {name: value for name in WITHOUT_FLAG if (value := getattr(setting, name)) != getattr(plain, name)}
    given |= dict(setting.params)
    lines = [f"    {name}={_literal(value)}," for name, value in given.items()]
    name = scenario.dataset.removeprefix(UPLOAD)
    plugin = plugin_of(algorithm)
    folder = ["# an uploaded set: put its file and its sidecar into the folder that DPGEP_DATA_DIR names"]
    return "\n".join(
        [
            "from dpgep_core import evaluate, load_dataset, solve",
            *(["from dpgep_core.plugins import load_plugin"] if plugin else []),
            "",
            *([f"load_plugin({_literal(plugin)})"] if plugin else []),
            *(folder if name != scenario.dataset else []),
            f"data = load_dataset({_literal(name)})",
            *([f"# {harmless_line(learnt_sentence(learnt))}"] if learnt else []),
            "release = solve(",
            "    data,",
            *lines,
            ")",
            'result = evaluate(release, data, classifiers=("lda",))  # reads the private rows',
            'print("mean |cosine|", result.mean_cosine_similarity)',
            'print("mean principal angle", result.principal_angles.mean())',
            "for name, scores in result.accuracy.items():",
            "    # projection private: the classifier is trained on projected private rows, and is not",
            '    print("accuracy", name, "projection private", scores.private.accuracy)',
            '    print("accuracy", name, "exact projection", scores.non_private.accuracy)',
            'print("accounted", release.accounted, "claimed", release.claimed)',
            "for warning in release.warnings:",
            '    print("note:", warning)',
            "",
        ]
    )


def harmless_line(text: str) -> str:
    """A text of one line, which a comment cannot end: names of columns come from files."""
    return " ".join(text.split())


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
