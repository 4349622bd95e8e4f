"""Saved scenarios as JSON that another server can read. No streamlit."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dashboard.pages import shared_parameters
from dashboard.saving.store import MOST, Saved
from dashboard.scenario import from_query
from dpgep_core.errors import DataError, reason_of, show_value
from dpgep_core.release import VERSION

FORMAT, FORMAT_VERSION = "dpgep-scenarios", 1
LARGEST = 2_000_000  # bytes of a file to import
Item = tuple[str, dict[str, str], str]


def dumps(items: Sequence[Saved]) -> bytes:
    """Names, notes and addresses. Fingerprints stay behind: without the salt they mean nothing."""
    return json.dumps(
        {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "made_by": f"DP-GEP Lab {VERSION}",
            "scenarios": [
                {"name": item.name, "note": item.note, "query": dict(item.query), "saved": item.made.isoformat()}
                for item in items
            ],
        },
        ensure_ascii=False,
        indent=2,
        allow_nan=False,
    ).encode()


def loads(content: bytes, where: str) -> tuple[list[Item], list[str]]:
    """Scenarios of a file, and messages about parts of their addresses that this version replaces by a default.

    Raises
    ------
    DataError
        Where the file is too large, is not JSON, or is not ours: nothing of it is used.
    """
    if len(content) > LARGEST:
        raise DataError(where, f"{len(content):,} bytes", f"at most {LARGEST:,} can be imported")
    try:
        whole: Any = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DataError(
            where, f"not JSON in UTF-8 ({reason_of(error)})", "export a list to see one that works"
        ) from error
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise DataError(where, "not a list of saved scenarios", f'"format" must be "{FORMAT}"')
    if whole.get("version") != FORMAT_VERSION:
        raise DataError(where, f"version {show_value(whole.get('version'))}", f"this program reads {FORMAT_VERSION}")
    listed = whole.get("scenarios")
    if not isinstance(listed, list) or not 0 < len(listed) <= MOST:
        raise DataError(where, "no usable list under 'scenarios'", f"1 to {MOST} are allowed")
    items = [_item(each, f"{where}, scenario {number}") for number, each in enumerate(listed, start=1)]
    problems = [f"{name}: {problem}" for name, query, _ in items for problem in unusable(query)]
    return items, problems


def unusable(query: Mapping[str, str], uploads: Collection[str] = ()) -> tuple[str, ...]:
    """Messages about what in a saved address cannot be used here, such as a data set that is not on this server."""
    return from_query(shared_parameters(query), uploads)[1]


def _item(each: Any, where: str) -> Item:
    if not isinstance(each, dict):
        raise DataError(where, "not an object", "name, note and query are needed")
    name, note, query = each.get("name"), each.get("note", ""), each.get("query")
    if not isinstance(name, str) or not isinstance(note, str):
        raise DataError(where, "name or note is not a text", "both must be texts")
    if not isinstance(query, dict) or not all(isinstance(text, str) for pair in query.items() for text in pair):
        raise DataError(where, "query is not an object of texts", 'such as {"dataset": "wine", "epsilon": "1"}')
    return name, {str(key): str(text) for key, text in query.items()}, note
