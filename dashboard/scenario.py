"""One frozen description of what is on screen. It is the URL, and the only cache key."""

import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset, dataset_names
from dpgep_core.errors import LONGEST_NAME, DpgepError, ParameterError, UnknownNameError, show_value
from dpgep_core.former import FORMER, former_defaults
from dpgep_core.models import MODELS
from dpgep_core.params import (
    AsIf,
    Bounds,
    Checked,
    Components,
    DeclaredRows,
    Delta,
    Epsilon,
    Noise,
    Parameter,
    Relation,
    Seed,
    TestSize,
    defaults,
    offers,
    parameters,
)
from dpgep_core.plugins import plugin_flag
from dpgep_core.release import COMMON_PARAMETERS, Setting, all_parameters, known_parameters

MOST_ALGORITHMS = 3
UPLOAD = "upload_"  # begins the key of a data set that a session brought along
ELSEWHERE = (
    "a data set of this session: uploads stay in the session that made them, so upload the file again on the Data page"
)
LONGEST_STEM = 80  # letters of a file name, before ε and the seed
FROM_ELSEWHERE = re.compile(r"utm_\w+|\w*clid|mc_[ce]id")  # what other sites add to a link to count clicks
LARGEST_WHOLE = 2**53 - 1  # a browser keeps every digit up to here
LINKED = ("dataset", "model", "algorithms", "epsilon", "seed")  # named by every link that the lab ever made
FLAGGED = ("epsilon", "delta", "n_components", "seed")  # on the command line by a flag of their own
WITHOUT_FLAG = tuple(name for name in COMMON_PARAMETERS if name not in FLAGGED)  # named when they are changed


@dataclass(frozen=True, kw_only=True)
class Scenario(Checked):
    """Everything a user has set: data set, model, algorithms and their settings.

    Parameters
    ----------
    dataset, model : str
        Keys.
    algorithms : tuple of str
        One to three keys, overlaid.
    delta, n_components
        None takes the default of the data set and the model.
    params : tuple of (name, value)
        Parameters of the model and the algorithms that differ from the defaults, by name, sorted; each algorithm
        takes those it has. ξ = 0 of methods that take it from the noise is such a default: others then keep theirs.
    """

    dataset: str = "mnist"
    model: str = "fda"
    algorithms: tuple[str, ...] = ("ssp",)
    epsilon: Epsilon = 1.0
    delta: Delta | None = None
    n_components: Components | None = None
    seed: Seed = 0
    relation: Relation = "replace_one"
    as_if: AsIf = 1.0
    noise: Noise = True
    bounds: Bounds = True
    test_size: TestSize = 0.2
    declared_n: DeclaredRows | None = None
    params: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        usual = _named_defaults(self.algorithms)  # said aloud in an address, they are still no difference
        told = tuple((name, value) for name, value in self.params if name not in usual or value != usual[name])
        object.__setattr__(self, "params", told)

    def setting(self, algorithm: str, *, epsilon: float | None = None, seed: int | None = None) -> Setting:
        """The setting of one of the algorithms; another ``seed`` redraws the noise and keeps the rows."""
        common = {name: getattr(self, name) for name in COMMON_PARAMETERS}
        common |= {"epsilon": self.epsilon if epsilon is None else epsilon, "seed": self.seed if seed is None else seed}
        return Setting(
            model=self.model, algorithm=algorithm, split_seed=self.seed, params=self.params_of(algorithm), **common
        )

    def params_of(self, algorithm: str) -> tuple[tuple[str, Any], ...]:
        """Parameters that an algorithm or the model has, if it offers their values: methods in one chart differ."""
        known = known_parameters(self.model, algorithm)
        return tuple((name, value) for name, value in self.params if name in known and offers(known[name], value))

    def components(self, data: Dataset) -> int:
        """k: the number that is asked for, or the usual one of the model on a data set."""
        return self.n_components or MODELS[self.model].make().default_components(data.n_classes, data.d)

    def with_algorithms(self, *algorithms: str) -> "Scenario":
        """Scenario with other algorithms."""
        return replace(self, algorithms=algorithms)

    def at(self, epsilon: float) -> "Scenario":
        """Scenario at another ε."""
        return replace(self, epsilon=epsilon)

    def rows(self, *, published: bool) -> "Scenario":
        """The scenario that rows and exact statistics depend on: where a split is published, on no seed and no share.

        The neighbouring relation is among them, for it decides whether a declared n divides the averages.
        """
        of_model, plain = parameters(MODELS[self.model].make), Scenario()
        return Scenario(
            dataset=self.dataset,
            model=self.model,
            algorithms=("exact",),
            seed=0 if published or not self.test_size else self.seed,
            as_if=self.as_if,
            bounds=self.bounds,
            test_size=plain.test_size if published else self.test_size,
            relation=self.relation,
            declared_n=self.declared_n,
            params=tuple((name, value) for name, value in self.params if name in of_model),
        )

    @property
    def stem(self) -> str:
        """Start of the name of a file that this scenario made: letters, digits, points and hyphens alone."""
        words = ("dpgep", self.dataset.removeprefix(UPLOAD), self.model, *self.algorithms)
        named = "-".join(re.sub(r"\W+", "-", word, flags=re.ASCII).strip("-") for word in words)
        return f"{named[:LONGEST_STEM]}-eps{as_text(self.epsilon)}-seed{self.seed}"

    def to_query(self) -> dict[str, str]:
        """URL parameters: the names of the command line. Defaults are left out, except for the main ones and those that
        were others once: an address without them is from before."""
        query = {"dataset": self.dataset, "model": self.model, "algorithms": ",".join(self.algorithms)}
        plain = Scenario()
        for name in COMMON_PARAMETERS:
            value = getattr(self, name)
            if value is not None and (name in ("epsilon", "seed") or value != getattr(plain, name)):
                query[name] = as_text(value)
        told = {**_named_defaults(self.algorithms), **dict(self.params)}
        return query | {name: as_text(value) for name, value in told.items()}


def _named_defaults(algorithms: Sequence[str]) -> dict[str, Any]:
    """Defaults of today that addresses name, because they were others once."""
    return {name: defaults(ALGORITHMS[key].make)[name] for key in algorithms for name in FORMER.get(key, {})}


def from_query(query: Mapping[str, str], uploads: Collection[str] = ()) -> tuple[Scenario, tuple[str, ...]]:
    """A scenario from URL parameters, and a message for each one that could not be used and was left at its default.

    ``uploads`` are the data sets of this session, beside those with a name for all. A link that the lab made names all
    of `LINKED`, and today also the defaults that have changed since: of one that does not, they are what they were.
    """
    problems: list[str] = []
    found: dict[str, Any] = {}
    params: list[tuple[str, Any]] = []
    unknown: list[str] = []
    for name, text in query.items():
        try:
            if name in ("dataset", "model", "algorithms"):
                found[name] = _names(name, text, uploads)
            elif name in COMMON_PARAMETERS:
                found[name] = _parse_value(name, COMMON_PARAMETERS[name], text)
            elif name in all_parameters():
                params.append((name, _parse_value(name, all_parameters()[name], text)))
            elif not FROM_ELSEWHERE.fullmatch(name):
                unknown.append(name)
        except DpgepError as error:
            problems.append(str(error))
    said = (*problems, _unknown_line(unknown)) if unknown else tuple(problems)
    if all(name in query for name in LINKED):
        former = former_defaults(found.get("algorithms", ()))
        params += [(name, value) for name, value in former.items() if name not in query]
    return Scenario(**found, params=tuple(sorted(params))), said


def _unknown_line(names: Sequence[str]) -> str:
    """Message about all names in an address that are not parameters, with the nearest parameter for a typing error."""
    known = ("dataset", "model", "algorithms", *COMMON_PARAMETERS, *all_parameters())
    near = [get_close_matches(name[:LONGEST_NAME], known, n=1, cutoff=0.75) for name in names]
    told = [
        show_value(name) + (f" (did you mean {hint[0]!r}?)" if hint else "")
        for name, hint in zip(names, near, strict=True)
    ]
    more = f" and {len(told) - 3} more" if len(told) > 3 else ""
    return f"The address names what is no parameter here: {', '.join(told[:3])}{more}."


def fitting_algorithms(model: str) -> list[str]:
    """Keys of the algorithms that solve a model: ours first, then the published ones, then those without privacy."""
    keys = [key for key, entry in ALGORITHMS.items() if model in entry.models]
    return sorted(keys, key=lambda key: (key != "ssp", not ALGORITHMS[key].private))


def as_text(value: Any) -> str:
    """A value as the command line and the URL write it: short, and with every digit that tells it apart."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        short = f"{value:.10g}"
        return short if float(short) == value else repr(value)
    return str(value)


def command_line(scenario: Scenario, algorithm: str) -> str:
    """The command that gives the same numbers."""
    setting = scenario.setting(algorithm)
    flags = {name.replace("_", "-"): getattr(setting, name) for name in FLAGGED}
    name = scenario.dataset.removeprefix(UPLOAD)
    folder = "DPGEP_DATA_DIR=FOLDER " if name != scenario.dataset else ""  # the Data page says what to put there
    words = [f"{folder}dpgep {plugin_flag(algorithm)}solve --dataset {shlex.quote(name)}"]
    words += [f"--model {scenario.model} --algorithm {algorithm}"]
    words += [f"--{flag} {as_text(value)}" for flag, value in flags.items() if value is not None]
    plain = Setting()
    common = {name: getattr(setting, name) for name in WITHOUT_FLAG}
    changed = {name: value for name, value in common.items() if value != getattr(plain, name)}
    if (held_out := changed.pop("test_size", None)) is not None:
        words.append(f"--test-size {as_text(held_out)}")
    words += [f"--set {name}={as_text(value)}" for name, value in {**changed, **dict(setting.params)}.items()]
    return " ".join(words)


def _parse_value(name: str, parameter: Parameter, text: str) -> Any:
    value = parameter.parse(name, text)
    if isinstance(value, int) and value > LARGEST_WHOLE:
        raise ParameterError(name, text, f"at most {LARGEST_WHOLE} on this page")
    return value


def _names(name: str, text: str, uploads: Collection[str]) -> Any:
    known = {"dataset": [*dataset_names(), *uploads], "model": list(MODELS), "algorithms": list(ALGORITHMS)}[name]
    if name == "dataset" and text.startswith(UPLOAD) and text not in known:
        raise ParameterError(name, text, ELSEWHERE)
    words = tuple(dict.fromkeys(text.split(","))) if name == "algorithms" else (text,)
    for word in words:
        if word not in known:
            raise UnknownNameError(name, word, known)
    if len(words) > MOST_ALGORITHMS:
        raise ParameterError(name, text, f"at most {MOST_ALGORITHMS} of {', '.join(known)}")
    return words if name == "algorithms" else text
