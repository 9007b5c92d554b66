"""Whatever is missing or fails is said in a sentence, and the play goes on by touch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

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
from ui.desk import RULES, Desk, NoCamera, now
from vision.album import Album
from vision.camera import CameraError, Picture
from vision.picam import Picam
from vision.watcher import Watcher
from vision.webcam import Webcam

Driver = Any
NO_PINS = Part("pins", Condition.FAILED, "The pins cannot be opened: restart.")


class Unplugged:
    """A camera that cannot be opened."""

    def open(self) -> None:
        raise CameraError("The camera is not there: plug it in.")

    def grab(self) -> Picture:
        raise CameraError("The camera is not there: plug it in.")

    def close(self) -> None:
        pass


def test_without_pins_and_with_a_broken_camera_the_play_goes_on(drive: Callable[..., Driver], tmp_path: Path) -> None:
    store = Store.open(tmp_path / "plays.sqlite", RULES, now().wall)
    desk = Desk(store, Panel(DEFAULT, Pins(None, NO_PINS)), Watcher(Unplugged))
    driver = drive(CompanionApp(desk))
    desk.begin(GAMES["cassa-grande"], Setup(players=2), {})
    driver.app.open("table")
    driver.until(lambda: any("plug it in" in part.sentence for part in desk.parts), "the camera's sentence")
    driver.settle()
    assert driver.app.page.troubled
    driver.press("!")
    told = driver.widgets()[0].text
    assert NO_PINS.sentence in told
    assert "plug it in" in told
    driver.press("Close")
    driver.tap(driver.app.page.board.grid.cells[(0, 0)])
    assert driver.app.view.revision == 1


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
