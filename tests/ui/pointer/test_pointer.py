"""The app in a real window, clicked by a real pointer: Xvfb is the screen, xdotool the hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import cells
from companion.journal import replay
from companion.store import Store
from ui.desk import RULES, now

PATIENCE_S = 60.0
WATCHED = Path(__file__).parents[1] / "children/watched.py"


@pytest.fixture
def screen() -> Iterator[str]:
    """The name of a display with nothing on it."""
    assert shutil.which("Xvfb"), "Please install xvfb and xdotool, as deploy/test does."
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:  # noqa: S603
        assert server.stdout is not None
        try:
            yield f":{server.stdout.readline().strip()}"
        finally:
            server.terminate()


class Hand:
    """A pointer on a display, and the app's own word on where things are."""

    def __init__(self, display: str, told: Path, app: subprocess.Popen[str]) -> None:
        self._app = app
        self._environment = {**os.environ, "DISPLAY": display}
        self._told = told

    def _xdotool(self, *words: str) -> str:
        command = ["xdotool", *words]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=True)  # noqa: S603
        return done.stdout

    def find_window(self) -> None:
        """Without a window manager a window is anywhere."""
        self.until(lambda told: bool(told["taps"]), "the first page")
        windows = self._xdotool("search", "--onlyvisible", "--class", "python").split()
        assert len(windows) == 1
        lines = self._xdotool("getwindowgeometry", "--shell", windows[0]).splitlines()
        place = dict(line.split("=") for line in lines)
        self._left, self._top = int(place["X"]), int(place["Y"])

    def until(self, wanted: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE_S
        while True:
            told: dict[str, Any] = json.loads(self._told.read_text("utf-8")) if self._told.exists() else {"taps": {}}
            if wanted(told):
                return told
            assert self._app.poll() is None, f"the app has ended: {self._app.communicate()}"
            assert time.monotonic() < end, f"waited in vain for {what}; there is {told}"
            time.sleep(0.05)

    def _place(self, text: str) -> tuple[float, float]:
        """Where it is to be tapped, once it has come to rest."""
        before, place = None, self.until(lambda told: text in told["taps"], text)["taps"][text]
        while place != before:
            time.sleep(0.25)
            before, place = place, self.until(lambda told: text in told["taps"], text)["taps"][text]
        return place[0], place[1]

    def click(self, text: str) -> None:
        x, y = self._place(text)
        self._xdotool("mousemove", str(self._left + round(x)), str(self._top + round(y)))
        time.sleep(0.15)
        self._xdotool("mousedown", "1")
        time.sleep(0.05)
        self._xdotool("mouseup", "1")


def test_a_play_is_begun_by_clicks_and_kept(screen: str, tmp_path: Path) -> None:
    settings, told = tmp_path / "companion.toml", tmp_path / "told.json"
    settings.write_text('[data]\nfolder = "data"\n[screen]\nsize = [800, 480]\n', encoding="utf-8")
    environment = {
        name: value for name, value in os.environ.items() if name not in ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY")
    }
    command = [sys.executable, str(WATCHED), str(told), "--simulate", "--config", str(settings)]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, env={**environment, "DISPLAY": screen}, stderr=subprocess.PIPE, text=True
    ) as app:
        try:
            hand = Hand(screen, told, app)
            hand.find_window()
            hand.click("Skip")
            hand.click("New play")
            hand.until(lambda told: told["page"] == "setup", "the games")
            hand.click("Next")
            hand.click("2 players")
            hand.click("Next")
            hand.until(lambda told: "Begin" not in told["taps"], "the variants")
            hand.click("Next")
            hand.click("Begin")
            hand.until(lambda told: told["page"] == "table", "the table")
            for count, cell in enumerate(("0,0", "0,1", "1,1")):
                hand.click(cell)
                hand.until(lambda told, count=count: told["revision"] == count + 1, f"the card on {cell}")  # type: ignore[misc]
            hand.click("Undo")
            hand.until(lambda told: told["revision"] == 4, "the undo")
            hand.click("More")
            hand.click("Home")
            hand.click("Close the companion")
            _, errors = app.communicate(timeout=PATIENCE_S)
        finally:
            app.kill()
    assert app.returncode == 0, errors
    with Store.open(tmp_path / "data/simulated.sqlite", RULES, now().wall) as store:
        saved = store.unfinished()
        assert saved is not None
        journal, _ = store.load(saved.id)
    assert journal.setup == Setup(players=2)
    replayed = replay(RULES["cassa-grande"], journal)
    assert replayed.refused is None
    assert list(cells(replayed.state)) == [(0, 0), (0, 1)]
