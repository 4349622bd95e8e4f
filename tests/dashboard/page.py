"""What a page that `AppTest` ran says and draws."""

import json
from importlib.resources import files

from streamlit.testing.v1 import AppTest

ENTRY = str(files("dashboard") / "app.py")
TEXTS = ("title", "header", "subheader", "markdown", "caption", "info", "warning", "error", "success")


def written(page: AppTest) -> str:
    """Everything the page says in words."""
    parts = [element.value for kind in TEXTS for element in getattr(page, kind)]
    parts += [f"{m.label} {m.value} {m.delta}" for m in page.metric]
    parts += [box.label for box in page.get("expander")]
    return "\n".join(map(str, parts))


def figures(page: AppTest) -> list[dict]:
    """The figures of the page, as Plotly gets them."""
    return [json.loads(element.proto.spec) for element in page.get("plotly_chart")]
