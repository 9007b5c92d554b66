"""The app driven without a screen: one process, one window, many apps."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory
from numpy.typing import NDArray

from companion.parts import Part
from companion.store import Store
from hardware.panel import Panel
from hardware.pins import Pins
from hardware.wiring import DEFAULT
from ui.desk import RULES, Companion, Desk, NoCamera, now

os.environ["SDL_VIDEODRIVER"] = "offscreen"

from companion.language import _
from ui.toolkit import prepare

with warnings.catch_warnings():
    # Kivy's own modules use what Python is about to drop; ours may not.
    warnings.simplefilter("ignore")
    # Off the screen, a window can become smaller than it was made, not larger.
    prepare(Path(tempfile.mkdtemp(prefix="companion-kivy-")), (1280, 1280))
    from kivy.config import Config

    Config.set("graphics", "maxfps", "0")
    from kivy.base import EventLoop
    from kivy.clock import Clock
    from kivy.core.window import Window
    from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels
    from kivy.input.motionevent import MotionEvent
    from kivy.uix.widget import Widget

    from ui.app import CompanionApp
    from ui.widgets.badge import PersonTap
    from ui.widgets.button import Tap
    from ui.widgets.choices import Toggle


PATIENCE_S = 20.0


class Finger(MotionEvent):
    """A touch at a place, in window pixels."""

    def __init__(self, x: float, y: float) -> None:
        width, height = Window.system_size
        super().__init__("finger", 99, {"x": x / width, "y": y / height}, is_touch=True, type_id="touch")
        self.profile = ["pos"]

    def depack(self, args: dict[str, float]) -> None:
        self.sx, self.sy = args["x"], args["y"]
        super().depack(args)


class Driver:
    """One app under way, its frames turned by hand."""

    def __init__(self, app: CompanionApp, size: tuple[int, int]) -> None:
        self.app = app
        # Half the time of a test would go into pictures that nobody looks at.
        self.draws = False
        Window.bind(on_draw=self._skip_drawing)
        Window.initialized or Window.create_window()
        Window.size = size
        app._run_prepare()
        self.frames(4)

    def _skip_drawing(self, _window: Any) -> bool:
        return not self.draws

    def frames(self, count: int = 1) -> None:
        for _turn in range(count):
            EventLoop.idle()

    def until(self, wanted: Callable[[], bool], what: str = "it") -> None:
        end = time.monotonic() + PATIENCE_S
        while not wanted():
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.frames()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() > end, "time to pass")

    def settle(self) -> None:
        """Until what was tapped has been taken in and drawn."""
        self.frames(2)
        self.app.step()
        self.frames(3)

    def resize(self, size: tuple[int, int]) -> None:
        """Another window size."""
        Window.size = size
        self.frames(4)

    def touch(self, x: float, y: float) -> None:
        finger = Finger(x, y)
        finger.scale_for_screen(*Window.system_size)
        EventLoop.post_dispatch_input("begin", finger)
        self.frames()
        EventLoop.post_dispatch_input("end", finger)
        self.frames()

    def tap(self, widget: Widget) -> None:
        """Put a finger on the middle of a widget; the same place may be tapped again at once."""
        self.app.touches.forget()
        x, y = widget.to_window(*widget.center)
        self.touch(x, y)
        self.settle()

    def widgets(self, kind: type | None = None) -> list[Any]:
        """All that can be seen, of a kind."""
        roots = list(Window.children)
        if len(roots) > 1:
            roots = roots[:1]
        found = [widget for root in roots for widget in root.walk()]
        return [widget for widget in found if kind is None or isinstance(widget, kind)]

    def named(self, text: str) -> Any:
        """The one widget to tap with this text, or with what stands for it in the language that is used."""
        wanted = {text, _(text)}
        found = [
            widget
            for widget in self.widgets()
            if isinstance(widget, (Tap, PersonTap, Toggle))
            and wanted & {getattr(widget, "text", ""), getattr(widget, "named", "")}
        ]
        texts = [getattr(widget, "text", "") for widget in self.widgets() if getattr(widget, "text", "")]
        assert len(found) == 1, f"{len(found)} widgets say {text!r}; all say {texts}"
        return found[0]

    def press(self, text: str) -> None:
        self.tap(self.named(text))

    def shot(self, path: Path) -> Path:
        """A screenshot as a PNG file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        assert cv2.imwrite(str(path), self.pixels()[..., ::-1])
        return path

    def pixels(self) -> NDArray[np.uint8]:
        """What the window shows, (H, W, 3) uint8 RGB."""
        self.draws = True
        Window.canvas.ask_update()
        self.frames(3)
        width, height = Window.system_size
        Window.dispatch("on_draw")
        self.draws = False
        drawn = np.frombuffer(glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE), np.uint8)
        return drawn.reshape(height, width, 3)[::-1]

    def close(self) -> None:
        Window.unbind(on_draw=self._skip_drawing)
        self.app.stop()
        for child in Window.children[:]:
            Window.remove_widget(child)
        for event in Clock.get_events():
            event.cancel()
        Window.canvas.clear()


@pytest.fixture
def drive() -> Iterator[Callable[..., Driver]]:
    """Starts apps, and closes them at the end."""
    drivers: list[Driver] = []

    def start(app: CompanionApp, size: tuple[int, int] = (800, 480)) -> Driver:
        drivers.append(Driver(app, size))
        return drivers[-1]

    yield start
    for driver in drivers:
        driver.close()


def open_desk(folder: Path, simulated: Companion | None = None) -> Desk:
    """A desk on mock pins without a camera; opened again on the same folder it finds the plays of before."""
    folder.mkdir(exist_ok=True)
    store = Store.open(folder / "plays.sqlite", RULES, now().wall)
    return Desk(store, Panel(DEFAULT, Pins(MockFactory(), Part("pins"))), NoCamera(), simulated=simulated)


@pytest.fixture
def start(drive: Callable[..., Driver], tmp_path: Path) -> Callable[..., Driver]:
    """Starts the app on the plays of this test."""

    def started(size: tuple[int, int] = (480, 320)) -> Driver:
        return drive(CompanionApp(open_desk(tmp_path / "data")), size)

    return started
