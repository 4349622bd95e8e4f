"""What leaves the page as a file: figures, tables, whole reports. Pure: bytes and text, no streamlit."""

from dashboard.export.chromium import found_browser
from dashboard.export.html import Block, Code, Fold, Note, html_page, plate_html
from dashboard.export.images import picture
from dashboard.export.plate import Plate, dressed
from dashboard.export_csv import safe_csv

__all__ = [
    "Block",
    "Code",
    "Fold",
    "Note",
    "Plate",
    "dressed",
    "found_browser",
    "html_page",
    "picture",
    "plate_html",
    "safe_csv",
]
