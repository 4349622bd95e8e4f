"""Files that leave a page: figures, tables, whole reports. Pure: bytes and text, no streamlit."""

from dashboard.export.chromium import NoBrowserError, found_browser, picture, trouble
from dashboard.export.csv import safe_csv
from dashboard.export.figure_spec import FigureSpec
from dashboard.export.html import Block, Fold, Note, Paper, figure_html, html_page
from dashboard.export.report import Report, python_code, report_html, report_pdf

__all__ = [
    "Block",
    "FigureSpec",
    "Fold",
    "NoBrowserError",
    "Note",
    "Paper",
    "Report",
    "figure_html",
    "found_browser",
    "html_page",
    "picture",
    "python_code",
    "report_html",
    "report_pdf",
    "safe_csv",
    "trouble",
]
