"""What leaves the page as a file: figures, tables, whole reports. Pure: bytes and text, no streamlit."""

from dashboard.export.chromium import NoBrowserError, found_browser
from dashboard.export.code import python_code
from dashboard.export.csv import safe_csv
from dashboard.export.html import Block, Code, Fold, Note, html_page, plate_html
from dashboard.export.images import picture, trouble
from dashboard.export.plate import Plate, dressed
from dashboard.export.report import Report, report_html, report_pdf

__all__ = [
    "Block",
    "Code",
    "Fold",
    "NoBrowserError",
    "Note",
    "Plate",
    "Report",
    "dressed",
    "found_browser",
    "html_page",
    "picture",
    "plate_html",
    "python_code",
    "report_html",
    "report_pdf",
    "safe_csv",
    "trouble",
]
