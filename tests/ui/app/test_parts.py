"""Whatever is missing or fails is said in a sentence, and the play goes on by touch."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from companion.parts import Condition, Part
from companion.store import Store
from hardware.panel import Panel
from hardware.pins import Pins
from hardware.wiring import DEFAULT
from ui import config
from ui.app import CompanionApp
from ui.cameras import Turned, camera_factory
from ui.desk import RULES, Camera, Desk, NoCamera, now
from vision.album import Album
from vision.camera import CameraError, Picture
from vision.picam import Picam
from vision.watcher import Watcher
from vision.webcam import Webcam

Driver = Any
WELL = Part("pins")
NO_PINS = Part("pins", Condition.FAILED, "The pins cannot be opened: restart.")


def no_network(*_: Any) -> None:
    raise OSError("Network is unreachable")


class Unplugged:
    """A camera that cannot be opened."""

    def open(self) -> None:
        raise CameraError("The camera is not there: plug it in.")

    def grab(self) -> Picture:
        raise CameraError("The camera is not there: plug it in.")

    def close(self) -> None:
        pass


class Taken(MockFactory):  # type: ignore[misc]
    """Pins of which others hold some."""

    def __init__(self, taken: Iterable[int]) -> None:
        super().__init__()
        self._taken = {f"GPIO{bcm}" for bcm in taken}

    def pin(self, name: str, *arguments: Any, **options: Any) -> MockPin:
        if str(name) in self._taken or f"GPIO{name}" in self._taken:
            raise RuntimeError("'GPIO busy'")
        return super().pin(name, *arguments, **options)


BUTTONS, DIE, ALL = (17, 27, 22, 23), (5, 6, 12, 13, 16, 19, 20), range(28)

LACKS: dict[str, tuple[Callable[[], Pins], Callable[[], Camera], str]] = {
    # What gives the pins, what gives the camera, and a part of the sentence that the banner must say.
    "no camera": (lambda: Pins(Taken(()), WELL), NoCamera, ""),
    "camera unplugged": (lambda: Pins(Taken(()), WELL), lambda: Watcher(Unplugged), "plug it in"),
    "no pins": (lambda: Pins(None, NO_PINS), NoCamera, NO_PINS.sentence),
    "buttons busy": (lambda: Pins(Taken(BUTTONS), WELL), NoCamera, "GPIO 17, is in use"),
    "die busy": (lambda: Pins(Taken(DIE), WELL), NoCamera, "GPIO 5, is in use"),
    "all pins busy": (lambda: Pins(Taken(ALL), WELL), NoCamera, "GPIO 21, is in use"),
    "everything": (lambda: Pins(None, NO_PINS), lambda: Watcher(Unplugged), "plug it in"),
}


@pytest.mark.parametrize("lack", LACKS)
def test_whatever_is_missing_is_said_and_the_play_goes_on_by_touch(
    lack: str, drive: Callable[..., Driver], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pins, camera, sentence = LACKS[lack]
    # Nor is there a network, and nothing asks for one.
    monkeypatch.setattr(socket, "socket", no_network)
    store = Store.open(tmp_path / "plays.sqlite", RULES, now().wall)
    driver = drive(CompanionApp(Desk(store, Panel(DEFAULT, pins()), camera())))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {})
    driver.app.open("table")
    driver.until(lambda: any(sentence in part.sentence for part in driver.app.desk.parts), sentence)
    driver.settle()
    assert driver.app.page.troubled == bool(sentence)
    if sentence:
        driver.press("!")
        assert sentence in driver.widgets()[0].text
        driver.press("Close")
    driver.tap(driver.app.page.board.grid.cells[(0, 0)])
    driver.tap(driver.app.page.board.grid.cells[(0, 1)])
    driver.press("Undo")
    assert driver.app.view.revision == 3
    assert [card.cell for card in driver.app.view.state.layout] == [(0, 0)]


def test_a_die_that_is_not_there_still_rolls_on_the_screen(drive: Callable[..., Driver], tmp_path: Path) -> None:
    store = Store.open(tmp_path / "plays.sqlite", RULES, now().wall)
    driver = drive(CompanionApp(Desk(store, Panel(DEFAULT, Pins(None, NO_PINS)), NoCamera())))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {})
    driver.app.open("table")
    driver.settle()
    driver.press("More")
    driver.press("Roll the die")
    driver.until(lambda: len(driver.app.desk.panel.die.rolls) == 1, "a roll")


def test_a_play_that_cannot_be_kept_is_not_taken(start: Callable[..., Driver], tmp_path: Path) -> None:
    driver = start()
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {})
    driver.app.open("table")
    driver.settle()
    (tmp_path / "data/plays.sqlite").rename(tmp_path / "elsewhere.sqlite")
    driver.tap(driver.app.page.board.grid.cells[(0, 0)])
    assert driver.app.view.revision == 0
    assert driver.app.page.ids.speech.said[0].tone == "refused"


def test_each_kind_of_camera_that_can_be_set(tmp_path: Path) -> None:
    kinds = {"folder": Album, "picamera2": Picam, "webcam": Webcam}
    for kind, expected in kinds.items():
        factory = camera_factory(config.Camera(kind=kind, folder=tmp_path))
        assert factory is not None
        assert isinstance(factory(), expected)
        assert factory() is factory()
    assert camera_factory(config.Camera(kind="none")) is None
    assert NoCamera().poll() is None


def test_pictures_are_turned_as_the_settings_say(tmp_path: Path) -> None:
    picture = np.zeros((40, 60, 3), np.uint8)
    picture[:10, :10] = 255
    assert cv2.imwrite(str(tmp_path / "table.png"), picture)
    factory = camera_factory(config.Camera(kind="folder", folder=tmp_path, rotation=90))
    assert factory is not None
    camera = factory()
    assert isinstance(camera, Turned)
    camera.open()
    turned = camera.grab().image
    camera.close()
    assert turned.shape == (60, 40, 3)
    assert turned[:10, -10:].min() == 255
