"""A figure of a paper drawn from our lines, and printed numbers against ours."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from dashboard.figures.style import CLASS_COLOURS, CLASS_SYMBOLS, NUMBERS, Style, class_look, escape_plotly, texts
from dashboard.figures.sweep import ROW, lay_out_panels, name_outer_axes, panel_rows, round_ticks
from dashboard.text.exhibits import Names, label_texts, word
from dpgep_core.experiments.papers.drawing import ROUNDING, curve_looks, guides_of
from dpgep_core.experiments.papers.exhibit import ExhibitPicture, Guide, ResultLine

DASHES = ("solid", "dash", "dot", "dashdot", "10px,3px,2px,3px,2px,3px")
MOST_NAMED = 12  # entries of a legend that is read
LETTER, SYMBOL = 7.6, 48  # pixels of a letter in a wide font, and of what stands before a name in a legend
LEGEND, LEGEND_NARROW = 790, 300  # pixels that a legend is wide at least, in files too
WIDE = 30  # characters over a panel
LEFT = 88  # pixels: long tick labels such as .0001 and 1e-10, and the name of the axis beside them
ABOVE, BELOW, ENTRY = 56, 70, 31  # pixels: titles of panels, the axis and its name, a row of the legend
Panels = Mapping[Names, Mapping[Names, Sequence[ResultLine]]]
Place = Mapping[str, int]


def curves(lines: Sequence[ResultLine], picture: ExhibitPicture, unit: str, style: Style) -> go.Figure:
    """One panel for each value of ``picture.panel``, one curve for each of ``picture.curve``: colour tells the first
    part of its name, the dash the rest. Bars are one standard deviation over the runs, or the quantiles of a median."""
    panels = _panels(lines, picture)
    names = list(dict.fromkeys(curve for panel in panels.values() for curve in panel))
    guides = dict.fromkeys(guide.name for guide in picture.guides)
    figure, places = _empty(panels, [*(", ".join(name) for name in names), *guides], style)
    shown: set[Names] = set()
    for panel, place in zip(panels.values(), places, strict=True):
        for name, some in panel.items():
            _curve(figure, some, name, picture, names, place, first=name not in shown)
            shown.add(name)
        for guide, ends in guides_of([line for some in panel.values() for line in some], picture):
            _guide(figure, guide, ends, place, style, first=(guide.name,) not in shown)
            shown.add((guide.name,))
    _scales(figure, lines, picture, wide=len(panels) < 2)
    name_outer_axes(figure, len(panels), {"text": word(picture.x), "font": {"size": 13}},
                    {"text": unit, "standoff": 10, "font": {"size": 13}}, style)  # fmt: skip
    return figure


def _panels(lines: Sequence[ResultLine], picture: ExhibitPicture) -> Panels:
    """Computed lines by panel and curve, along the axis. What tells panels apart names them; a lone one has it all."""
    several = [label for label in picture.panel if len({line.labels.get(label) for line in lines}) > 1]
    telling = [label for label in picture.panel if label == "data" or label in several] if several else picture.panel
    panels: dict[Names, dict[Names, list[ResultLine]]] = {}
    computed = [line for line in lines if line.ours is not None]
    drawn = {label_texts(line, picture.curve) for line in computed if _drawn(line, picture) is not None}
    for line in sorted(computed, key=lambda line: float(line.labels[picture.x])):
        if (curve := label_texts(line, picture.curve)) in drawn:  # a legend names no curve that is nowhere
            panels.setdefault(label_texts(line, telling), {}).setdefault(curve, []).append(line)
    order = list(dict.fromkeys(label_texts(line, telling) for line in lines))
    return {name: panels[name] for name in order if name in panels}


def _empty(panels: Panels, entries: Sequence[str], style: Style) -> tuple[go.Figure, list[dict[str, int]]]:
    """The panels without curves, with room for the ``entries`` of a legend, and the place of each."""
    down = panel_rows(len(panels), style)
    below = ENTRY * legend_rows(entries, LEGEND_NARROW if style.narrow else LEGEND)
    figure = style.figure(
        height=ABOVE + BELOW + below + ROW * down, margin={"l": LEFT, "r": 16, "t": ABOVE, "b": BELOW + below}
    )
    places = lay_out_panels(figure, [_wrap_name(name) for name in panels], 0.28, style)
    if len(panels) == 1:
        (name,) = panels
        figure.add_annotation(
            text=_wrap_name(name) if style.narrow else escape_plotly(", ".join(name)), x=0.5, xref="paper", y=1,
            yref="paper", yanchor="bottom", showarrow=False, font={"size": 13, "color": style.ink},
        )  # fmt: skip
    axis = {"gridcolor": style.faint, "linecolor": style.quiet, "zerolinecolor": style.faint, "ticks": "outside"}
    axis |= NUMBERS
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    figure.update_layout(legend={"orientation": "h", "yanchor": "top", "y": -60 / (ROW * down), "x": 0})
    return figure, places


def legend_rows(entries: Sequence[str], room: int) -> int:
    """Rows of a legend that is so many pixels wide, in a font as wide as any that a reader's machine may draw with."""
    rows, left = 1, room
    for entry in entries:
        needed = SYMBOL + LETTER * min(len(entry), 60)
        if needed > left and left < room:
            rows, left = rows + 1, room
        left -= needed
    return rows


def _wrap_name(panel: Names) -> str:
    """The name of a panel in lines that fit over it."""
    lines = [""]
    for name in panel:
        joined = f"{lines[-1]}, {name}" if lines[-1] else name
        lines = [*lines[:-1], joined] if len(joined) <= WIDE else [*lines, name]
    return "<br>".join(escape_plotly(line) for line in lines if line)


def _curve(
    figure: go.Figure,
    some: Sequence[ResultLine],
    name: Names,
    picture: ExhibitPicture,
    names: Sequence[Names],
    place: Place,
    *,
    first: bool,
) -> None:
    colour, dash = curve_looks(names)[name]
    title = escape_plotly(", ".join(name), 60)
    figure.add_scatter(
        x=[line.labels[picture.x] for line in some], y=[_drawn(line, picture) for line in some], mode="lines+markers",
        name=title,
        line={"color": CLASS_COLOURS[colour % len(CLASS_COLOURS)], "dash": DASHES[dash % len(DASHES)], "width": 2},
        legendgroup=title, showlegend=first,
        marker={"size": 6, "symbol": CLASS_SYMBOLS[names.index(name) % len(CLASS_SYMBOLS)]},
        error_y=_error_bars(some, log=picture.log_y),
        customdata=[texts((line.ours, float(line.labels[picture.x])), 4) for line in some],
        hovertemplate=f"{title}<br>%{{customdata[0]}} at %{{customdata[1]}}<extra></extra>",
        **place,
    )  # fmt: skip


def _guide(
    figure: go.Figure, guide: Guide, ends: Sequence[tuple[float, float]], place: Place, style: Style, *, first: bool
) -> None:
    """The rate of a theorem, quiet and dotted."""
    title = escape_plotly(guide.name, 60)
    figure.add_scatter(
        x=[x for x, _ in ends], y=[y for _, y in ends], mode="lines", name=title, legendgroup=title, showlegend=first,
        line={"color": style.quiet, "dash": "dot", "width": 1.5}, hoverinfo="skip", **place,
    )  # fmt: skip


def _drawn(line: ResultLine, picture: ExhibitPicture) -> float | None:
    """The value; None for rounding on a logarithmic axis, which would press all other values together."""
    return None if picture.log_y and line.ours is not None and line.ours < ROUNDING else line.ours


def _error_bars(some: Sequence[ResultLine], *, log: bool) -> Mapping[str, object]:
    """One standard deviation either way, or the quantiles of a median."""
    up, down = [], []
    for line in some:
        ours, spread = line.ours or 0.0, line.spread or 0.0
        above, below = (spread, spread) if line.low is None else ((line.high or ours) - ours, ours - line.low)
        up.append(max(0.0, above))
        # Zero is nowhere on a logarithmic axis: a bar that would reach it would hide the rest.
        down.append(max(0.0, min(below, 0.9 * ours) if log else below))
    return {"array": up, "arrayminus": down, "symmetric": False, "visible": any(up), "thickness": 1, "width": 2}


def _scales(figure: go.Figure, lines: Sequence[ResultLine], picture: ExhibitPicture, *, wide: bool) -> None:
    at = [float(line.labels[picture.x]) for line in lines if line.ours is not None]
    figure.update_xaxes(type="log", **round_ticks(min(at, default=1.0), max(at, default=1.0), wide=wide))
    if picture.log_y:
        some = [line.ours for line in lines if line.ours is not None and line.ours >= ROUNDING]
        low, high = min(some, default=1.0), max(some, default=1.0)
        figure.update_yaxes(type="log", **round_ticks(low, high, wide=high < 100 * low))
    else:  # what is a small change on one data set is a large one on another
        figure.update_yaxes(matches=None, showticklabels=True)


def printed_against_ours(lines: Sequence[ResultLine], by: Sequence[str], unit: str, style: Style) -> go.Figure:
    """Printed values across, ours up: on the line they agree. One colour and symbol for each value of ``by``."""
    some = [line for line in lines if line.published is not None and line.ours is not None]
    builder = style.builder(height=460, margin={"l": 60, "r": 16, "t": 16, "b": 60})
    ends = [value for line in some for value in (line.published or 0.0, line.ours or 0.0)]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = 0.04 * (high - low) or 1.0
    span = [low - room, high + room]
    builder.add_scatter(x=span, y=span, mode="lines", name="agreement", hoverinfo="skip",
                       line={"color": style.quiet, "width": 1.2, "dash": "dot"})  # fmt: skip
    groups = list(dict.fromkeys(label_texts(line, by) for line in some))
    parts = len(by) if len(groups) <= MOST_NAMED else 1  # of a name that the legend says; the mouse says the rest
    entries = list(dict.fromkeys(group[:parts] for group in groups))
    for i, entry in enumerate(entries):
        own = [line for line in some if label_texts(line, by)[:parts] == entry]
        builder.add_scatter(
            x=[line.published for line in own], y=[line.ours for line in own], mode="markers",
            name=escape_plotly(", ".join(entry), 60),
            text=[escape_plotly(_where(line, by, parts), 80) for line in own],
            marker={"size": 9, "opacity": 0.75, **class_look(i)},
            customdata=[texts((line.published, line.ours), 4) for line in own],
            hovertemplate="%{text}<br>printed %{customdata[0]}, ours %{customdata[1]}<extra></extra>",
        )  # fmt: skip
    lines_of = {"gridcolor": style.faint, "linecolor": style.quiet, "zerolinecolor": style.faint, "range": span}
    builder.update_xaxes(title={"text": f"printed, {unit}"}, ticks="outside", **lines_of)
    builder.update_yaxes(title={"text": f"ours, {unit}"}, ticks="outside", **lines_of)
    return builder.figure()


def _where(line: ResultLine, by: Sequence[str], parts: int) -> str:
    """Text for the mouse: all but the first parts of the name of a line, and its other labels."""
    others = [word(value) for name, value in line.labels.items() if name not in by and value is not None]
    return ", ".join((*label_texts(line, by)[parts:], *others))
