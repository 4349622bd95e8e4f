"""JSON that any parser takes: no NaN, no Infinity, numbers of numpy made plain."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def strict_dumps(value: Any, *, ascii_only: bool = False) -> str:
    """Indented strict JSON; what is not finite becomes null."""
    return json.dumps(plain(value), indent=2, ensure_ascii=ascii_only, allow_nan=False)


def plain(value: Any) -> Any:
    """The value with nothing but what JSON knows."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.integer):
        return int(value)
    return value
