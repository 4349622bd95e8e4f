"""Draw a figure of your own that says its settings, and save it as one page that needs no network."""

from pathlib import Path

import pandas as pd
import plotly.graph_objects as go

from dashboard.export import FigureSpec, html_page
from dashboard.figures.style import Style
from dpgep_core import evaluate, load_dataset, solve

EPSILONS, DRAWS = (0.3, 1.0, 3.0, 10.0, 30.0), range(5)

wine = load_dataset("wine")
rows = pd.DataFrame(
    {"epsilon": epsilon, "seed": seed, "cosine": evaluate(release, wine, classifiers=()).mean_cosine_similarity}
    for epsilon in EPSILONS
    for seed in DRAWS
    for release in [solve(wine, algorithm="ssp", epsilon=epsilon, seed=seed)]
)
median = rows.groupby("epsilon")["cosine"].median()


def draw(style: Style) -> go.Figure:
    """Draw single draws as dots and their median as a line, light or dark as the style says."""
    figure = style.figure(height=380)
    figure.add_scatter(x=rows["epsilon"], y=rows["cosine"], mode="markers", name="one noise draw")
    figure.add_scatter(x=list(median.index), y=list(median), mode="lines", name="median")
    figure.update_xaxes(type="log", title="ε")
    figure.update_yaxes(range=[0, 1], title="mean cosine with the exact directions")
    return figure


caption = f"Data wine, model fda, algorithm ssp, seeds 0 to {max(DRAWS)}. It reads the private rows under known seeds."
spec = FigureSpec("cosine", "More privacy, other directions", "The median rises with ε.", caption, draw, Style(), rows)
page = Path("cosine.html")
page.write_text(html_page("Directions of wine", [spec]), "utf-8")
print(median.round(3).to_string())
print(f"{page}: {page.stat().st_size / 1e6:.1f} MB, with its caption, its table and all it needs to be drawn")
