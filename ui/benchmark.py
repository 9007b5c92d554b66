"""How quick the app is on this computer: `python -m ui.benchmark` prints a table.

Each measurement has a process of its own, which drives the real app at a simulated table. Rows:

- first screen: seconds from the process's start to the first page on the screen
- page NAME: how long opening it for the first time keeps the screen's thread busy
- step: how long one turn of the screen's loop takes; at rest, and while the camera's thread reads. `own work` leaves
  out what it waited for: this program's other threads, and the other programs of this computer
- idle: the processor's share of one core, and how often the window is drawn, while nothing happens
- memory: what further 500 preview pictures add

Without a desktop it draws on nothing, which takes the processor longer than a screen would.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from ui.config import Camera as CameraSettings
from ui.config import Config, Data
from ui.desk import open_desk
from ui.simulation import open_simulated
from ui.toolkit import FRAMES_A_SECOND, opens_window, prepare

if TYPE_CHECKING:
    from ui.app import CompanionApp

STARTED_S = time.monotonic()
SIZE = (800, 480)
BUSY_MS = 50.0
"""A finger notices when the screen's thread is busy for longer."""

READ_S = 20.0
REST_S = 5.0
SETTLING_S = 3.0
"""A page that has come up is laid out and drawn for a while yet."""

PICTURES = 500

Row = tuple[str, str, str]
"""What was measured, the figure, and what it should be."""


class Turn(NamedTuple):
    """How long one turn of the loop took, and how long of that its thread worked."""

    whole_s: float
    own_s: float


class Loop:
    """The app's own loop, turned by hand at its usual pace, so that each turn can be measured."""

    def __init__(self, app: CompanionApp) -> None:
        from kivy.core.window import Window

        self.app = app
        self.drawn = 0
        Window.bind(on_flip=self._flipped)
        app._run_prepare()

    def _flipped(self, _window: Any) -> None:
        self.drawn += 1

    def turn(self) -> Turn:
        """One turn."""
        from kivy.base import EventLoop

        began, worked = time.perf_counter(), time.thread_time()
        EventLoop.idle()
        return Turn(time.perf_counter() - began, time.thread_time() - worked)

    def turns(self, seconds: float) -> Iterator[Turn]:
        """Turns for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            turn = self.turn()
            yield turn
            time.sleep(max(0.0, 1 / FRAMES_A_SECOND - turn.whole_s))


def start_seconds(loop: Loop) -> Iterator[Row]:
    """Until the first page is on the screen; the process's own start is part of it."""
    while not loop.drawn:
        loop.turn()
    started = time.monotonic() - STARTED_S + _before_python()
    yield "first screen", f"{started:.2f} s", "< 3 s"


def page_openings(loop: Loop) -> Iterator[Row]:
    """Each page that needs no details, opened for the first time."""
    from ui.screens import PAGES

    _begin(loop)
    for _ in loop.turns(1.0):
        pass
    for name in PAGES:
        began = time.perf_counter()
        loop.app.open(name)
        busy = time.perf_counter() - began + loop.turn().whole_s
        yield f"page {name}", f"{busy * 1000:.0f} ms", f"< {BUSY_MS:.0f} ms"


def steps(loop: Loop) -> Iterator[Row]:
    """A simulated play: hands lay a card whenever they can, and what the camera sees is confirmed."""
    from companion.intents import Confirm

    _begin(loop)
    yield from _busy("step, at rest", list(loop.turns(3.0)))
    simulated, desk = loop.app.desk.simulated, loop.app.desk
    busy, readings, last = [], 0, None
    for turn in loop.turns(READ_S):
        busy.append(turn)
        view = loop.app.view
        if simulated is None or view is None:
            continue
        if desk.seen is not last:
            readings, last = readings + 1, desk.seen
        if view.question is not None:
            desk.put(Confirm(view.question.revision, 0))
        elif len(busy) % FRAMES_A_SECOND == 0:
            simulated.play()
    yield "photographs read, entries", f"{readings}, {0 if view is None else view.revision}", ""
    yield from _busy("step, reading", busy)


def idle(loop: Loop) -> Iterator[Row]:
    """The first page, and a play at which nothing happens, without a camera."""
    for name in ("home", "table"):
        if name == "table":
            _begin(loop)
        for _ in loop.turns(SETTLING_S):
            pass
        drawn, used = loop.drawn, time.process_time()
        for _ in loop.turns(REST_S):
            pass
        share = (time.process_time() - used) / REST_S
        yield f"idle, {name}", f"{share:.1%} of a core", "< 3 %"
        yield f"idle, {name}, window drawn", f"{loop.drawn - drawn} times in {REST_S:.0f} s", "0"


def memory(loop: Loop) -> Iterator[Row]:
    """Preview pictures, each a new one."""
    from ui.widgets.preview import Preview
    from vision.glimpse import glimpse

    preview = Preview(loop.app.desk)
    loop.app.page.add_widget(preview)
    grown = []
    for _ in range(2):
        before = _resident_kb()
        for number in range(PICTURES):
            preview.show(glimpse(np.full((720, 1280, 3), number % 256, np.uint8)))
            loop.turn()
        grown.append(_resident_kb() - before)
    yield f"memory, {PICTURES} preview pictures", f"{grown[-1] / 1024:+.1f} MB", "about 0"


PARTS: dict[str, Callable[[Loop], Iterator[Row]]] = {
    "start": start_seconds,
    "pages": page_openings,
    "steps": steps,
    "idle": idle,
    "memory": memory,
}


def _busy(what: str, turns: list[Turn]) -> Iterator[Row]:
    aim = f"< {BUSY_MS:.0f} ms"
    for name, milliseconds in zip(("", ", own work"), np.array(turns).T * 1000, strict=True):
        over = int((milliseconds > BUSY_MS).sum())
        yield f"{what}{name}, 95th percentile", f"{np.percentile(milliseconds, 95):.1f} ms", aim
        yield f"{what}{name}, longest", f"{milliseconds.max():.1f} ms", aim
        yield f"{what}{name}, over {BUSY_MS:.0f} ms", f"{over} of {len(turns)} ({over / len(turns):.2%})", "0"


def _begin(loop: Loop) -> None:
    loop.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {0: "Ana", 2: "Zoë"})
    loop.app.open("table")


def _before_python() -> float:
    """How long the process had lived when this module was imported, s. Source: proc(5), stat, field 22."""
    ticks = int(Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()[19])
    born_s = ticks / os.sysconf("SC_CLK_TCK")
    return STARTED_S - born_s if born_s <= STARTED_S else 0.0


def _resident_kb() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() // 1024


def _measure(part: str) -> int:
    """One part, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Config(Data(Path(folder)), camera=CameraSettings(kind="none"))
        prepare(Path(folder) / "kivy", SIZE)
        if not opens_window():
            print("No window can be opened, not even one that is drawn on nothing.", file=sys.stderr)
            return 1
        from ui.app import CompanionApp

        desk = open_desk(settings) if part == "idle" else open_simulated(settings)
        loop = Loop(CompanionApp(desk))
        try:
            for row in PARTS[part](loop):
                print("| {} | {} | {} |".format(*row), flush=True)
        finally:
            loop.app.stop()
    return 0


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)}; all by default")
    parser.add_argument("--alone", choices=PARTS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        return _measure(arguments.alone)
    screenless = not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY")
    environment = {**os.environ, **({"SDL_VIDEODRIVER": "offscreen"} if screenless else {})}
    print("| measured | result | aim |\n|---|---|---|", flush=True)
    commands = [[sys.executable, "-m", "ui.benchmark", "--alone", part] for part in arguments.parts or PARTS]
    return max(subprocess.run(command, env=environment, check=False).returncode for command in commands)  # noqa: S603 - this module


if __name__ == "__main__":
    sys.exit(main())
