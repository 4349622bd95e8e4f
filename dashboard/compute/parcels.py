"""Texts that a page fetches once, by name: a page that is drawn again is sent names in place of what it has.

A name is a keyed digest of the text under a secret of this process: whoever was not told it cannot ask for the text,
and the same text has the same name in every session.
"""

import secrets
from collections import OrderedDict
from collections.abc import Iterable
from hashlib import blake2b
from threading import Lock

MOST_BYTES = 64_000_000  # of texts kept; the panel of three methods with images has .4 MB


class Parcels:
    """The texts of one server. Those that were named last are kept.

    Nothing is named before :meth:`open`: a page that runs without a server has nobody who could fetch it.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._open, self._most, self._bytes = False, most, 0
        self._lock, self._secret = Lock(), secrets.token_bytes(32)
        self._texts: OrderedDict[str, str] = OrderedDict()

    def open(self) -> None:
        """Say that texts can be fetched from now on."""
        self._open = True

    @property
    def opened(self) -> bool:
        """Whether texts can be fetched."""
        return self._open

    def keeps(self, name: str) -> bool:
        """Whether a text is kept still."""
        return name in self._texts

    def name(self, text: str) -> str | None:
        """Keep a text, and the name by which it is fetched; None without a server."""
        if not self._open:
            return None
        name = blake2b(text.encode(), key=self._secret, digest_size=16).hexdigest()
        with self._lock:
            if name not in self._texts:
                self._texts[name] = text
                self._bytes += len(text)
            self._texts.move_to_end(name)
            while self._bytes > self._most:
                self._bytes -= len(self._texts.popitem(last=False)[1])
        return name

    def of(self, names: Iterable[str]) -> dict[str, str]:
        """The texts of names, without those that are not kept."""
        with self._lock:
            return {name: self._texts[name] for name in names if name in self._texts}


PARCELS = Parcels()
