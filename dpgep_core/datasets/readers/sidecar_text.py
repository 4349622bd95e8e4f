"""A sidecar as TOML: what `read_sidecar` reads back as the same sidecar."""

from collections.abc import Iterator
from typing import Any

from dpgep_core.datasets.readers.options import FROM_ROWS, READING_KEYS, Reading
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.wording import toml_value


def sidecar_text(sidecar: Sidecar) -> str:
    """TOML with a line for everything that differs from the default."""
    lines = [f"{key} = {toml_value(value)}" for key, value in _top(sidecar)]
    for name, section in _sections(sidecar):
        if section:
            lines += ["", f"[{name}]", *(f"{key} = {toml_value(value)}" for key, value in section.items())]
    for each in sidecar.text:
        categories = FROM_ROWS if each.categories is None else list(each.categories)
        lines += ["", "[[text]]", f"column = {toml_value(each.column)}", f"categories = {toml_value(categories)}"]
    return "\n".join(lines) + "\n"


def _top(sidecar: Sidecar) -> Iterator[tuple[str, Any]]:
    for key in ("title", "licence", "source"):
        if value := getattr(sidecar, key):
            yield key, value
    if sidecar.label is not None and sidecar.response is None:
        yield "label", sidecar.label
    for key in ("classes", "class_names", "image_shape", "feature_names", "drop"):
        if value := getattr(sidecar, key):
            yield key, list(value)
    for key in ("smooth", "declared_n", "declared_d"):
        if (value := getattr(sidecar, key)) is not None:
            yield key, value
    if sidecar.views is not None:
        yield "views", sidecar.views if isinstance(sidecar.views, int) else [list(view) for view in sidecar.views]


def _sections(sidecar: Sidecar) -> Iterator[tuple[str, dict[str, Any]]]:
    preprocessing, reading, plain = sidecar.preprocessing, sidecar.reading, Reading()
    columns: dict[str, Any] = {}
    if preprocessing.log1p is not False:
        columns["log1p"] = preprocessing.log1p
    if preprocessing.lower is not None:
        columns |= {"lower": preprocessing.lower, "upper": preprocessing.upper}
    if sidecar.learnt:
        columns["learnt"] = True
    yield "columns", columns
    yield "rows", {"radius": preprocessing.radius} if preprocessing.rows == "clip" else {}
    if (response := sidecar.response) is not None:
        column = {} if response.column is None else {"column": response.column}
        cut = {"slices": response.slices} if response.slices else {"edges": response.edges}
        paid = {"edges_mu": response.edges_mu} if response.edges_mu else {}
        yield "response", {**column, **cut, **paid}
    changed = {name: getattr(reading, name) for name in READING_KEYS if getattr(reading, name) != getattr(plain, name)}
    yield "reading", changed
