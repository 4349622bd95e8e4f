"""Scripts and styles of components that a browser fetches once, by address, and keeps.

Streamlit sends them again with each change of what a component shows.
"""

from hashlib import blake2b
from json import dumps
from threading import Lock

SCRIPTS = "/lab/scripts"
TRIES = 4
LOADER = """const address = location.origin + %s
const load = (tries) => import(tries === %d ? address : `${address}?${tries}`).catch((error) => {
  if (!tries) throw error
  return new Promise((soon) => setTimeout(soon, 1000)).then(() => load(tries - 1))
})
const there = load(%d)
export default async (component) => (await there).default(component)
"""
STYLE = "document.head.appendChild(document.createElement('style')).textContent = %s\n"


class Scripts:
    """The scripts of one server, by a digest of what they say.

    None is served before :meth:`open`: a page that runs without a server has nobody who could fetch it.
    """

    def __init__(self) -> None:
        self._open, self._lock, self._texts = False, Lock(), dict[str, str]()

    def open(self) -> None:
        """Say that scripts can be fetched from now on."""
        self._open = True

    def sent(self, script: str, style: str) -> tuple[str, str]:
        """Script and style to send in place of these: a few lines that fetch both, or without a server both."""
        if not self._open:
            return script, style
        text = STYLE % dumps(style) + script
        name = f"{blake2b(text.encode(), digest_size=12).hexdigest()}.js"
        with self._lock:
            self._texts[name] = text
        return LOADER % (dumps(f"{SCRIPTS}/{name}"), TRIES, TRIES), ""

    def of(self, name: str) -> str | None:
        """The script of a name; None where there is none."""
        with self._lock:
            return self._texts.get(name)


SERVED = Scripts()
