"""A figure builder makes the figure that Plotly's own methods would have made."""

import plotly.graph_objects as go
import pytest

from dashboard.figures.style import FigureBuilder

AXIS = {"gridcolor": "#eee", "title": {"text": "old", "font": {"size": 13}}}
BASE = {"template": "none", "xaxis": AXIS, "yaxis": AXIS, "margin": {"l": 1, "r": 2}}
LINE = {"color": "#000", "width": 1}


def pieces(figure):
    """Make the same calls on either builder."""
    figure.add_scatter(x=[1, 2], y=[3, 4], mode="lines", line=LINE)
    figure.add_bar(x=[1], y=[2], name="bar")
    figure.add_heatmap(z=[[1, 2]], showscale=False)
    figure.add_waterfall(x=[1], y=[2], measure=["total"])
    figure.add_annotation(x=1, y=2, text="here", showarrow=False)
    figure.update_layout(margin={"r": 9}, legend={"y": 1.5})
    figure.update_xaxes(title={"text": "new"}, range=(0, 5))
    figure.update_yaxes(rangemode="tozero")


def test_it_is_the_figure_that_plotly_makes_piece_by_piece():
    figure, builder = go.Figure(layout=BASE), FigureBuilder(BASE)
    pieces(figure)
    pieces(builder)
    figure.layout.template = None
    for number in (2.5, 3.5):
        figure.add_shape(type="line", xref="paper", x0=0, x1=1, y0=number, y1=number, line=LINE)
        builder.add_hline(number, LINE)
        figure.add_shape(type="line", yref="paper", y0=0, y1=1, x0=number, x1=number, line=LINE)
        builder.add_vline(number, LINE)
    figure.frames = [go.Frame(name="0", data=[go.Scatter(x=[1], y=[1])])]
    builder.add_frame(name="0", data=[{"type": "scatter", "x": [1], "y": [1]}])
    assert builder.figure().to_plotly_json() == figure.to_plotly_json()


def test_what_it_began_with_is_not_changed():
    builder = FigureBuilder(BASE)
    pieces(builder)
    assert BASE["margin"] == {"l": 1, "r": 2}
    assert AXIS["title"]["text"] == "old"


def test_an_axis_over_another_keeps_its_own():
    builder = FigureBuilder(BASE)
    builder.update_layout(yaxis2={"overlaying": "y", "range": [0, 1]})
    builder.update_yaxes(range=(3, 4))
    layout = builder.figure().layout
    assert (layout.yaxis.range, layout.yaxis2.range) == ((3, 4), (0, 1))


@pytest.mark.parametrize("wrong", [{"thicknes": 1}, {"mode": 3}])
def test_plotly_still_checks_every_property(wrong):
    builder = FigureBuilder(BASE)
    builder.add_scatter(x=[1], y=[1], **wrong)
    with pytest.raises(ValueError, match=next(iter(wrong))):
        builder.figure()
