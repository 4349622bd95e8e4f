"""One visitor as the server sees it: what a browser would send over its socket, and what is read of the answers."""

import asyncio
import json
import time
import urllib.request
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

PATIENCE = 300.0  # seconds until an answer that does not come is an error
ASK = 0.6  # seconds between two questions of the panel for what is made
AGAIN = 3.0  # seconds at rest after which the panel tells again where it was let go
EXPORT = "CSV, the numbers"
TABLE = b"a,b,c,label\n" + b"".join(
    f"{i % 7},{i % 5 / 5},{i % 11},{'even' if i % 2 == 0 else 'odd'}\n".encode() for i in range(400)
)
XSRF = "_streamlit_xsrf"


@dataclass
class Page:
    """A page that is open: what has been read of it so far."""

    socket: websockets.ClientConnection
    host: str
    query: str
    session: str = ""
    running: bool = False
    whole: bool = True  # whether the whole page was asked for last, and not a part of it
    ended: bool = False  # a run of what was asked for, since it was set
    here: str = ""  # hash of the page that is shown
    panel: tuple[str, list[float], str] | None = None  # its name, its places and the part of the page it is in
    fragments: set[str] = field(default_factory=set)
    pages: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    uploader: str = ""
    drawn: str | None = None  # the name of the first picture
    telling: asyncio.Task[None] | None = None
    jobs: list[str] = field(default_factory=list)  # that make frames of the panel
    frames: set[str] = field(default_factory=set)  # names of those that were fetched
    following: asyncio.Task[None] | None = None
    buttons: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)

    def leave(self) -> None:
        """End what goes on beside the socket, and keep what failed in it."""
        for task in (self.following, self.telling):
            self._keep_error(task)
            if task is not None:
                task.cancel()

    def _keep_error(self, task: asyncio.Task[None] | None) -> None:
        if task is not None and task.done() and not task.cancelled() and (error := task.exception()) is not None:
            self.errors.append(f"{type(error).__name__}: {error}")

    async def open(self, page: str = "") -> None:
        """Ask for a page, by its name where it is not the first."""
        await self._run(self._message(page_name=page))

    async def move(self, step: int) -> None:
        """Let the slider go at another place, and wait until the page stands there."""
        assert self.panel is not None, "no panel with a slider on the page"
        ends, epsilon = time.monotonic() + PATIENCE, self.panel[1][step * 5 % len(self.panel[1])]
        while time.monotonic() < ends:
            name, _, fragment = self.panel
            message = self._message(fragment_id=fragment)
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.json_value = name, json.dumps({"value": [epsilon, str(time.monotonic())]})
            await self._run(message)
            while not self._stands_at(epsilon) and await self.read(AGAIN):
                pass
            if self._stands_at(epsilon):
                return
        raise TimeoutError(f"the page did not come to ε = {epsilon}")

    def _stands_at(self, epsilon: float) -> bool:
        return not self.running and float(parse_qs(self.query).get("epsilon", ["nan"])[0]) == epsilon

    async def read(self, seconds: float) -> bool:
        """Read what comes without being asked for; whether something has come, or is under way."""
        try:
            await asyncio.wait_for(self._next(), seconds)
        except TimeoutError:
            return self.running
        return True

    async def poll(self) -> None:
        """Ask once for each part of the page that fills by itself, as a browser would."""
        for fragment in tuple(self.fragments):
            await self._run(self._message(fragment_id=fragment))

    async def turn_to(self, name: str) -> None:
        """Choose another page from the navigation."""
        self.panel = None
        await self._run(self._message(page_script_hash=self.pages[name]))

    async def export(self) -> int:
        """Have a file made and fetch it; its length. A reader waits until the page rests, and so does this one: while a
        page is drawn anew, Streamlit has forgotten the files of the page that is still seen."""
        while self.running:
            await self._next()
        message = BackMsg()
        asked = message.backend_operation_request
        asked.request_id, asked.session_id = f"file {time.monotonic()}", self.session
        asked.deferred_file.file_id = self.files[EXPORT]
        answer = await self._answer(message, "backend_operation_response")
        if answer.error_msg:
            raise LookupError(answer.error_msg)
        return len(await asyncio.to_thread(self._fetch, answer.deferred_file.url))

    async def upload(self) -> None:
        """Send a small table, and wait until the page offers to use it."""
        message = BackMsg()
        message.file_urls_request.request_id, message.file_urls_request.session_id = "upload", self.session
        message.file_urls_request.file_names.append("table.csv")
        urls = (await self._answer(message, "file_urls_response")).file_urls[0]
        await asyncio.to_thread(self._put, urls.upload_url)
        message = self._message()
        state = message.rerun_script.widget_states.widgets.add()
        state.id = self.uploader
        sent = state.file_uploader_state_value.uploaded_file_info.add()
        sent.name, sent.size, sent.file_id = "table.csv", len(TABLE), urls.file_id
        sent.file_urls.CopyFrom(urls)
        await self._run(message)
        if "Use this data" not in self.buttons:
            raise LookupError("the table that was sent is not offered")

    def _message(self, **fields: str) -> BackMsg:
        message = BackMsg()
        message.rerun_script.query_string = self.query
        if "page_name" not in fields:
            message.rerun_script.page_script_hash = self.here
        for name, value in fields.items():
            setattr(message.rerun_script, name, value)
        if "fragment_id" not in fields:
            self.fragments.clear()
        return message

    async def _run(self, message: BackMsg) -> None:
        """Send, and read until a run has ended. A move runs the panel alone, which then has the whole page run; a part
        that the page has replaced meanwhile is not run at all, and nobody says so."""
        await self.socket.send(message.SerializeToString())
        self.whole = not message.rerun_script.fragment_id
        self.ended, ends = False, time.monotonic() + PATIENCE
        silence = 2 * AGAIN if message.rerun_script.fragment_id else PATIENCE
        while not self.ended and await self.read(silence):
            if time.monotonic() > ends:
                raise TimeoutError("a run that was asked for has not ended")

    async def _answer(self, message: BackMsg, kind: str) -> Any:
        await self.socket.send(message.SerializeToString())
        while True:
            answer = await self._next()
            if answer.WhichOneof("type") == kind:
                return getattr(answer, kind)

    async def _next(self) -> ForwardMsg:
        answer = ForwardMsg.FromString(await asyncio.wait_for(self.socket.recv(decode=False), PATIENCE))
        kind = answer.WhichOneof("type")
        if kind == "new_session":
            self.session = answer.new_session.initialize.session_id
            self.running = True
        elif kind == "script_finished":
            self.running = False
            part = answer.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
            early = answer.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
            self.ended = self.ended or not (self.whole and (part or early))
        elif kind == "auto_rerun":
            self.fragments.add(answer.auto_rerun.fragment_id)
        elif kind == "page_info_changed":
            self.query = answer.page_info_changed.query_string
        elif kind == "navigation":
            self.here = answer.navigation.page_script_hash
            self.pages |= {one.url_pathname: one.page_script_hash for one in answer.navigation.app_pages}
        elif kind == "delta" and answer.delta.WhichOneof("type") == "new_element":
            self._read(answer.delta.new_element, answer.delta.fragment_id)
        return answer

    def _read(self, element: Any, fragment: str) -> None:
        kind = element.WhichOneof("type")
        if kind == "bidi_component" and element.bidi_component.component_name == "dpgep_live":
            told = json.loads(element.bidi_component.json)
            self.panel = (element.bidi_component.id, told["grid"], fragment)
            self._follow(told)
            if told.get("awaited") not in (None, self.drawn):  # a browser says when its first picture stands
                self.drawn = told["awaited"]
                self.telling = asyncio.create_task(asyncio.to_thread(self._tell_drawn))
        elif kind == "download_button":
            self.files[element.download_button.label] = element.download_button.deferred_file_id
        elif kind == "file_uploader":
            self.uploader = element.file_uploader.id
        elif kind == "button":
            self.buttons.add(element.button.label)
        elif kind == "exception":
            self.errors.append(element.exception.message)

    def _follow(self, told: dict[str, Any]) -> None:
        """Ask for frames that are made meanwhile, and fetch them, as the panel does."""
        self.jobs = [track["job"] for track in told["tracks"] if track.get("job")]
        names = {name for track in told["tracks"] for name in track["frames"].values() if isinstance(name, str)}
        if self.following is None or self.following.done():
            self._keep_error(self.following)
            self.following = asyncio.create_task(self._ask_for(names))

    async def _ask_for(self, names: set[str]) -> None:
        while True:
            if new := names - self.frames:
                self.frames |= new
                await asyncio.to_thread(self._fetch, f"/lab/frames/{','.join(sorted(new)[:100])}")
            await asyncio.sleep(ASK)
            if not self.jobs:
                return
            found = json.loads(await asyncio.to_thread(self._fetch, f"/lab/made/{','.join(self.jobs)}"))
            names = {name for made in found.values() for _, name in made}
            if not found:
                return

    def _fetch(self, url: str) -> bytes:
        with urllib.request.urlopen(f"http://{self.host}{url}", timeout=PATIENCE) as answer:
            return answer.read()

    def _tell_drawn(self) -> None:
        for what in ("picture", "ready"):
            asked = urllib.request.Request(f"http://{self.host}/lab/drawn/{self.drawn}/{what}", method="POST")
            with urllib.request.urlopen(asked, timeout=PATIENCE):
                pass

    def _put(self, url: str) -> None:
        with urllib.request.urlopen(f"http://{self.host}/_stcore/health", timeout=PATIENCE) as answer:
            token = answer.headers["Set-Cookie"].split(";")[0].partition("=")[2]
        disposition = b'Content-Disposition: form-data; name="file"; filename="table.csv"'
        body = b"\r\n".join((b"--x", disposition, b"Content-Type: text/csv", b"", TABLE, b"--x--", b""))
        headers = {"X-Xsrftoken": token, "Cookie": f"{XSRF}={token}", "Content-Type": "multipart/form-data; boundary=x"}
        request = urllib.request.Request(f"http://{self.host}{url}", body, headers, method="PUT")
        with urllib.request.urlopen(request, timeout=PATIENCE):
            pass
