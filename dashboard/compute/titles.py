"""Words for what a table or an address has as keys: data sets, models, methods, classifiers and settings."""

from collections import Counter
from collections.abc import Callable, Mapping

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import dataset_titles
from dpgep_core.evaluate.classify import CLASSIFIERS
from dpgep_core.models import MODELS

SYMBOLS = {
    "epsilon": "ε", "delta": "δ", "xi": "ξ", "sparsity": "s", "n_iterations": "m", "step_size": "η", "rows": "n",
    "n_components": "k",
}  # fmt: skip


def title_of(setting: str, key: str) -> str:
    """Title of what a key stands for, as menus name it; the key itself where the setting or the key is not known."""
    named = TITLED.get(setting)
    return key if named is None else named(key)


def setting_text(name: str, text: str) -> str:
    """A setting with its value, by its symbol: "ξ = 0.01", "ξ by the noise", "s = all", "n × 10"."""
    if name == "as_if":
        return f"n × {text}"
    if name == "xi" and text == "0":
        return "ξ by the noise"
    return f"{SYMBOLS.get(name, name)} = {'all' if (name, text) == ('sparsity', '0') else text}"


def _dataset(key: str) -> str:
    """Title of a data set. One that several share is followed by the key."""
    titles = dataset_titles()
    if key not in titles:
        return key
    return titles[key] if Counter(titles.values())[titles[key]] == 1 else f"{titles[key]} ({key})"


TITLED: Mapping[str, Callable[[str], str]] = {
    "dataset": _dataset,
    "model": lambda key: MODELS[key].title if key in MODELS else key,
    "algorithm": lambda key: ALGORITHMS[key].title if key in ALGORITHMS else key,
    "classifier": lambda key: CLASSIFIERS[key].title if key in CLASSIFIERS else key.upper(),
}
