"""What a page that `AppTest` ran says and draws."""

import json
import re
from html import unescape
from importlib.resources import files

from streamlit.testing.v1 import AppTest

ENTRY = str(files("dashboard") / "app.py")
TEXTS = ("title", "header", "subheader", "markdown", "caption", "info", "warning", "error", "success")


def written(page: AppTest) -> str:
    """Everything the page says in words."""
    parts = [element.value for kind in TEXTS for element in getattr(page, kind)]
    parts += [" ".join(cell) for cell in numbers(page)]
    parts += [box.label for box in page.get("expander")]
    return GLOSSARY.sub(r"\1", "\n".join(map(str, parts)))


GLOSSARY = re.compile(r'\[([^\]]+)\]\(learn\?term=[a-z-]+ "[^"]*"\)')  # a term is read as its text
CELL = re.compile(
    r'<td data-label="([^"<]+)" data-tone="(?:good|bad)?">(?:<span class="bar"><i style="[^"<]+"></i></span>)?'
    r'<span class="value">([^<]+)</span><span class="note">([^<]*)</span></td>'
)
HEADER = re.compile(r'<header class="dpgep-header"><h1>([^<]+)</h1><span>([^<]+)</span></header>')


def numbers(page: AppTest) -> list[tuple[str, str, str]]:
    """The headline numbers: name, value and note, row by row."""
    return [
        tuple(map(unescape, cell))
        for element in page.get("html")
        for cell in CELL.findall(element.proto.body)
    ]  # fmt: skip


def header(page: AppTest) -> str:
    """The line over the picture of Explore: data set, model and sizes."""
    found = [HEADER.search(element.proto.body) for element in page.get("html")]
    (line,) = [one for one in found if one is not None]
    return unescape(" · ".join(line.groups()))


def figures(page: AppTest) -> list[dict]:
    """The figures of the page, as Plotly gets them."""
    return [json.loads(element.proto.spec) for element in page.get("plotly_chart")]
