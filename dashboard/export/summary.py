"""A scenario's numbers as tables: for the report, for saved scenarios side by side, for the page. No streamlit."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from dashboard.compute.results import Answer
from dashboard.compute.titles import setting_text, title_of
from dashboard.scenario import Scenario, as_text
from dashboard.text import words
from dpgep_core.models import MODELS
from dpgep_core.params import parameter_values
from dpgep_core.privacy.privacy_loss import accounted_short
from dpgep_core.release import COMMON_PARAMETERS, all_parameters
from dpgep_core.verdict import judge
from dpgep_core.wording import number_text

DEFAULT = "the usual"


def headline(items: Sequence[Answer]) -> pd.DataFrame:
    """Headline numbers, one column for each algorithm: accuracy, angles, noise and privacy."""
    columns = {item.title: _headline_values(item) for item in items}
    return pd.DataFrame(columns).rename_axis("").reset_index()


def ledger(items: Sequence[Answer]) -> pd.DataFrame:
    """Ledgers as one table: every answer that left the curator, in order."""
    return pd.DataFrame([row for item in items for row in ledger_rows(item)])


def ledger_rows(item: Answer) -> list[dict[str, Any]]:
    """The entries of one ledger as table rows."""
    return [
        {
            "algorithm": item.title,
            "answer": entry.query,
            "count": entry.count,
            "sensitivity Δ": _number(entry.sensitivity),
            "noise σ": _number(entry.sigma) if entry.protected else "none",
            "μ": _number(entry.mu),
            "protected": "yes" if entry.protected else "NO",
        }
        for entry in item.release.ledger
    ]


def settings(scenario: Scenario) -> dict[str, str]:
    """Every setting of a scenario by name, defaults included."""
    found = {"dataset": scenario.dataset, "model": scenario.model, "algorithms": ", ".join(scenario.algorithms)}
    for name in COMMON_PARAMETERS:
        value = getattr(scenario, name)
        found[name] = DEFAULT if value is None else as_text(value)
    return found | {name: as_text(value) for name, value in scenario.params}


def label(name: str) -> str:
    """A setting's name for people."""
    known = {**COMMON_PARAMETERS, **all_parameters()}
    return known[name].label if name in known else {"dataset": "Data set"}.get(name, name.capitalize())


def solved_with(items: Sequence[Answer]) -> pd.DataFrame:
    """The whole setting that each algorithm was run with, defaults included."""
    columns: dict[str, dict[str, str]] = {}
    for item in items:
        release = item.release
        own = parameter_values(release.method)
        model = {name: value for name, value in release.setting.params if name not in own}
        columns[item.title] = {
            "Data set": release.dataset,
            "Rows n": f"{release.public.n:,}",
            "Columns d": f"{release.public.d:,}",
            "Model": MODELS[release.setting.model].title,
            "Components k": str(release.public.k),
            "ε asked": as_text(release.setting.epsilon),
            "δ": number_text(release.accounted.delta, 4),
            "Neighbours": words.relation_words(release.public.relation),
            "Seed": str(release.setting.seed),
            "Pretended rows": f"n × {number_text(release.setting.as_if, 6)}",
            "Share held out": as_text(release.setting.test_size),
            "Noise": "on" if release.setting.noise else "off",
            "Column bounds": "used" if release.setting.bounds else "not used",
            **{label(name): as_text(value) for name, value in {**own, **model}.items() if value is not None},
        }
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    return pd.DataFrame(
        {"setting": names, **{title: [column.get(name, "–") for name in names] for title, column in columns.items()}}
    )


def _headline_values(item: Answer) -> dict[str, str]:
    diagnostic, release = item.diagnostic, item.release
    scores = diagnostic.accuracy.get("lda")
    all_private = None if scores is None else scores.all_private
    protected = [entry for entry in release.ledger if entry.protected]
    return {
        "Accuracy (LDA), projection private": "–" if scores is None else f"{scores.private.accuracy:.4f}",
        "… from the release alone": "–" if all_private is None else f"{all_private.accuracy:.4f}",
        "… exact projection": "–" if scores is None else f"{scores.non_private.accuracy:.4f}",
        "… random projection": "–" if scores is None else f"{scores.random.accuracy:.4f}",
        "… majority class": "–" if diagnostic.majority is None else f"{diagnostic.majority:.4f}",
        "Mean principal angle": f"{diagnostic.principal_angles.mean():.2f}°",
        "Mean |cosine|": f"{diagnostic.mean_cosine_similarity:.4f}",
        "… of a random direction": f"{diagnostic.chance_cosine:.4f}",
        "Subspace distance": f"{diagnostic.subspace_distance:.4f}",
        "Noise σ": ", ".join(number_text(entry.sigma, 4) for entry in protected) or "none",
        "Claimed ε": words.claimed_short(release),
        "Accounted ε": accounted_short(release.accounted, release.ledger.mu),
        "Right guesses at most": words.guess_short(release),
        "Verdict": str(judge(release).verdict),
    }


def _number(value: float) -> str:
    if math.isnan(value):  # sub-sampled answers have no μ of their own
        return "–"
    return "∞" if math.isinf(value) else number_text(value, 4)


def brief(query: Mapping[str, str]) -> str:
    """A saved address in a few words."""
    main = ("dataset", "model", "algorithms")
    named = [title_of("dataset", query.get("dataset", "")), title_of("model", query.get("model", ""))]
    named += [title_of("algorithm", key) for key in query.get("algorithms", "").split(",")]
    rest = [setting_text(name, text) for name, text in query.items() if name not in main]
    return ", ".join([*filter(None, named), *rest])
