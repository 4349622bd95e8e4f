"""What is asked of an exhibit, as text and back, and its name."""

import hashlib
import json
from typing import Any

from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.experiments.papers import ReproductionRequest, exhibit

MOST_SEEDS = 100


def text_of(asked: ReproductionRequest) -> str:
    """Request as JSON."""
    return json.dumps(
        {"exhibit": asked.exhibit.key, "quick": asked.quick, "data": asked.data, "classifiers": asked.classifiers,
         "seeds": asked.seeds}
    )  # fmt: skip


def read(text: str) -> ReproductionRequest:
    """What `text_of` wrote.

    Raises
    ------
    DpgepError
        For what it cannot have written, as a file that somebody changed.
    """
    try:
        found: dict[str, Any] = json.loads(text)
        return ReproductionRequest(
            exhibit=exhibit(found["exhibit"]),
            quick=bool(found["quick"]),
            data=tuple(found["data"]),
            classifiers=tuple(found["classifiers"]),
            seeds=None if found["seeds"] is None else int(found["seeds"]),
        )
    except DpgepError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ParameterError("run", text, "what a reproduction was asked for, as JSON") from error


def name(asked: ReproductionRequest) -> str:
    """The name of its task: the same is asked under the same name."""
    return hashlib.blake2b(text_of(asked).encode(), digest_size=6).hexdigest()
