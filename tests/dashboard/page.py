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
CELL = re.compile(r'<dt title="[^"<]+">([^<]+)</dt><dd class="value">([^<]+)</dd><dd class="note">([^<]*)</dd>')


def numbers(page: AppTest) -> list[tuple[str, str, str]]:
    """The headline numbers: name, value and note, row by row."""
    return [
        tuple(map(unescape, cell))
        for element in page.get("html")
        for cell in CELL.findall(element.proto.body)
    ]  # fmt: skip


def figures(page: AppTest) -> list[dict]:
    """The figures of the page, as Plotly gets them."""
    return [json.loads(element.proto.spec) for element in page.get("plotly_chart")]
