"""The worst neighbours in the plane: move a point and see what it does beside what is allowed."""

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute import exchanges
from dashboard.controls import hold_choice
from dashboard.export import FigureSpec
from dashboard.figures import neighbours as figures
from dashboard.figures.neighbours import Meter, point_in_disc
from dashboard.panels.lab import Bench, settings_line
from dashboard.panels.progress import fill
from dashboard.panels.shared import labels, show_figure
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.models import MODELS, Fda
from dpgep_core.models.neighbours import (
    COUNTEREXAMPLES,
    SEARCH_SIZES,
    STATISTICS,
    NeighbourPair,
    WorstPair,
    statistic_of,
    whitened_change,
)
from dpgep_core.models.neighbours.statistics import Statistic
from dpgep_core.models.neighbours.whitened import published_bound
from dpgep_core.wording import in_a_sentence, number_text

PLACES = (2, 3, 5, 10, 20, 47, 100, 300, 1000, 5000, 20_000)


def neighbours_panel(bench: Bench) -> None:
    """Pick a statistic and n, look at the worst pair, move the record."""
    st.subheader("What can one record do?")
    labels(words.MADE_UP)
    one, two = st.columns(2)
    hold_choice("statistic", STATISTICS, "within")
    key = one.selectbox("Statistic", list(STATISTICS), key="statistic", format_func=lambda k: STATISTICS[k].title)
    n = two.select_slider("Rows of the pair", PLACES, value=100, key="lab_size", format_func=lambda v: f"{v:,}")
    statistic, relation = statistic_of(key), bench.scenario.relation
    st.caption(linked(f"{statistic.sentence} Neighbours: {words.relation_words(relation)} (sidebar)."))
    worst = cache.worst_pair(key, relation, n)
    left, right = st.columns(2, gap="large")
    with left:
        pair = _move_record(worst, statistic, relation)
        show_figure(FigureSpec(
            draw=partial(figures.plane, pair), style=bench.style, key="plane", title="Two neighbours in the plane",
            alt=f"Neighbours of {n} rows in the unit disc",
            caption=f"Marks are rows, as large as they are many (n = {n:,}). {settings_line(bench, words.MADE_UP)}",
            rows=_points(pair), settings=settings_line(bench, words.MADE_UP),
        ))  # fmt: skip
        if key.startswith("cca"):
            st.caption("Across: the first view, one column. Up: the second view.")
    with right:
        _pair_numbers(bench, statistic, pair, worst, n)
    with st.expander("What noise is sized by"):
        st.markdown(linked(words.WORST))
    _by_size(bench, statistic)
    _show_counterexamples(n)
    whitened_panel(bench)


def _move_record(worst: WorstPair, statistic: Statistic, relation: str) -> NeighbourPair:
    """The worst pair with its record where the sliders say."""
    pair = worst.pair
    replaced = relation == "replace_one"
    larger_first = len(pair.one.y) >= len(pair.other.y)
    rows = pair.other if replaced or not larger_first else pair.one
    x, tag = rows.X[0], f"{worst.statistic}_{worst.n}_{relation}"
    name = "record after" if replaced else "record"
    where = round(math.degrees(math.atan2(x[1], x[0])))
    one, two = st.columns(2)
    angle = one.slider(f"Angle of the {name}", -180, 180, where, key=f"lab_angle_{tag}", format="%d°")
    length = two.slider("Its length", 0.0, 1.0, round(float(min(math.hypot(*x), 1.0)), 2), 0.01, key=f"lab_len_{tag}")
    label = int(rows.y[0])
    if statistic.classes:
        chosen = st.segmented_control(
            "Its class", (0, 1, 2), default=label, key=f"lab_class_{tag}", format_func=lambda c: str(c + 1)
        )
        label = label if chosen is None else int(chosen)
    if (angle, length, label) == (where, round(float(min(math.hypot(*x), 1.0)), 2), int(rows.y[0])):
        return pair  # untouched: not rounded to whole degrees
    moved = rows.replace_row(0, np.array(point_in_disc(length, angle)), label)
    return NeighbourPair(pair.one, moved, pair.n) if rows is pair.other else NeighbourPair(moved, pair.other, pair.n)


def _points(pair: NeighbourPair) -> pd.DataFrame:
    """Every row of both data sets, with how often it is there."""
    return pd.DataFrame(
        {"data set": name, "x": x, "y": y, "class": int(label) + 1, "rows": int(count)}
        for name, rows in (("before", pair.one), ("after", pair.other))
        for (x, y), label, count in zip(
            rows.X, rows.y, [1] * len(rows.y) if rows.counts is None else rows.counts, strict=True
        )
    )


def _pair_numbers(bench: Bench, statistic: Statistic, pair: NeighbourPair, worst: WorstPair, n: int) -> None:
    family = [s for s in STATISTICS.values() if s.key.startswith("cca") == statistic.key.startswith("cca")]
    meters = [
        Meter(
            s.symbol, s.change(pair), s.bound(bench.scenario.relation, n),
            tuple(sorted({p.constant for p in s.published})), s.key == statistic.key,
        )
        for s in family
    ]  # fmt: skip
    names = "; ".join(f"{s.symbol} {in_a_sentence(s.title).removesuffix(' ' + s.symbol)}" for s in family)
    show_figure(FigureSpec(
        draw=partial(figures.meters, meters), style=bench.style, key="meters",
        title="What this pair changes, beside what is proved and published",
        alt="n times the change of each statistic, with its bounds",
        caption=f"{names}. n = {n:,}. {settings_line(bench, words.MADE_UP)}",
        rows=pd.DataFrame({"statistic": m.title, "n × change": m.change, "proved × n": m.bound,
                           "published × n": ", ".join(number_text(p, 6) for p in m.published)} for m in meters),
        settings=settings_line(bench, words.MADE_UP),
    ))  # fmt: skip
    now = statistic.change(pair)
    st.markdown(
        f"**{statistic.title}**: this pair changes it by **{now:.3f}/n**; the worst that our search found is "
        f"{worst.change:.3f}/n, the proof says {worst.bound:.3f}/n."
    )
    for published in statistic.published:
        passed = now > published.constant * (1 + 1e-6)
        word = "passed by this pair" if passed else "not passed by this pair"
        st.markdown(f"- {published.who}: {number_text(published.constant, 6)}/n, **{word}**")
    of_pair(bench, pair, n)


def _by_size(bench: Bench, statistic: Statistic) -> None:
    st.subheader("The same at every n")
    relation = bench.scenario.relation
    proved = [statistic.bound(relation, n) for n in SEARCH_SIZES]
    stated = [(published.who.split(",")[0], published.constant) for published in statistic.published]

    def draw(found: list[tuple[Any, ...]]) -> None:
        changes = [one.change for one in found[0]]
        show_figure(FigureSpec(
            draw=partial(figures.against_n, SEARCH_SIZES, changes, proved, stated), style=bench.style, key="against_n",
            title=f"{statistic.title}: the worst neighbours at every n",
            alt=f"Worst change found of {statistic.title} from 2 to 20,000 rows",
            caption=f"n times the change of {statistic.symbol}. {settings_line(bench, words.MADE_UP)}",
            rows=pd.DataFrame({"n": n, "worst found × n": c, "proved × n": p}
                              for n, c, p in zip(SEARCH_SIZES, changes, proved, strict=False)),
            settings=settings_line(bench, words.MADE_UP),
        ))  # fmt: skip

    fill([cache.worst_by_size(statistic.key, relation)], draw, "Searching")
    st.caption(
        "The search moves every row, over class sizes from empty to all, with labels that may change. What it does not "
        "find may exist; what is proved cannot be passed."
    )


def _show_counterexamples(n: int) -> None:
    with st.expander("Published constants that fail, and why"):
        for example in COUNTEREXAMPLES.values():
            at = max(n, example.least)
            st.markdown(
                f"**{example.title}.** {example.why}  \n{example.pair} At n = {at:,}: "
                f"**{number_text(example.found(at), 4)}/n**, stated {number_text(example.stated(at), 4)}/n."
            )


def xi_of(bench: Bench) -> float:
    """ξ of the sidebar, or the usual one where no chosen algorithm has it."""
    return float(dict(bench.scenario.params).get("xi", 0.01)) or 0.01


def of_pair(bench: Bench, pair: NeighbourPair, n: int) -> None:
    """‖Ã − Ã′‖₂ of the pair on screen."""
    xi = xi_of(bench)
    one, other = (Fda().pencil(rows.moments(n)) for rows in (pair.one, pair.other))
    change, bound = whitened_change(one, other, np.eye(2), xi), published_bound(n, xi)
    word = "passed" if change > bound else "not passed"
    st.markdown(
        f"**Whitened Ã = ΦᵀAΦ** of FDA at ξ = {number_text(xi, 6)}, with Λ_B exact: ‖Ã − Ã′‖₂ = "
        f"**{number_text(change)}**. Chen et al., Theorem 11, need at most 8/(nξ) = {number_text(bound)}: "
        f"**{word} by this pair**."
    )


def whitened_panel(bench: Bench) -> None:
    """Change of the whitened matrix against n and ξ, as in Chen et al.'s supplement: worst pair, bound, real rows."""
    st.subheader("The whitened matrix, against n and ξ")
    st.markdown(linked(words.WHITENED))
    possible = not MODELS[bench.scenario.model].make().identity_constraint
    real = possible and st.toggle(
        "Also exchange real rows", key="lab_real",
        help="Neighbours made of rows of the data set: reads the private data, and takes a while for wide ones.",
    )  # fmt: skip
    if real:  # the top of the page says that the other rows are made up
        labels(words.READS, words.SEED_KNOWN)
    if not possible:
        st.caption("For PCA B is the identity: nothing to whiten, so there are no real neighbours to draw.")
    jobs = [cache.spectral_points(bench.scenario, bench.data)] if real else []
    fill(jobs, lambda found: _draw_whitened(bench, found[0] if found else (), real), "Exchanging rows")


def _draw_whitened(bench: Bench, found: tuple[Any, ...], real: bool) -> None:
    xi = xi_of(bench)
    n = found[-1][0].n if found else bench.n
    end = settings_line(bench, *((words.READS, words.SEED_KNOWN) if real else (words.MADE_UP,)))
    pictures = (
        ("whitened_rows", "number of rows", f"Rows n, at ξ = {number_text(exchanges.nearest_ridge(xi), 6)}",
         exchanges.lines_by_rows(found, xi, real)),
        ("whitened_ridge", "ridge", f"Ridge ξ, at n = {n:,}", exchanges.lines_by_ridge(found, bench.n, real)),
    )  # fmt: skip
    for place, (key, against, axis, lines) in zip(st.columns(2, gap="large"), pictures, strict=True):
        title = f"Change of the whitened matrix against the {against}"
        spec = FigureSpec(
            draw=partial(figures.whitened, lines, axis), style=bench.style, key=key, title=title, alt=title,
            caption=f"{axis}. " + (f"{bench.data.name}, " if real else "") + end, settings=end,
            rows=pd.DataFrame({"curve": line.name, against: x, "change": y}
                              for line in lines for x, y in zip(line.x, line.y, strict=True)),
        )  # fmt: skip
        with place:
            show_figure(spec)
