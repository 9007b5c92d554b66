"""The pages about the companion itself, by touch."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from companion.games.cassa_grande.setup import Setup
from companion.intents import Control
from companion.journal import Journal
from companion.store import Store
from hardware.presses import Key
from ui.app import CompanionApp
from ui.backup import back_up
from ui.config import Config, Data
from ui.desk import RULES, now
from ui.power import PowerError
from ui.screens import settings as settings_page
from ui.settings import Settings
from ui.simulation import open_simulated
from ui.widgets.button import HOLD_S, Hold, Tap

Driver = Any


@pytest.fixture
def driver(drive: Callable[..., Driver], tmp_path: Path) -> Driver:
    config = Config(Data(tmp_path))
    app = CompanionApp(open_simulated(config), Settings(config, config, tmp_path / "companion.toml"))
    driver = drive(app, (800, 480))
    app.open("settings")
    driver.settle()
    return driver


def kept(driver: Driver) -> str:
    own = driver.app.settings.own
    return own.read_text() if own.exists() else ""


def toggle(driver: Driver, text: str) -> None:
    from ui.widgets.choices import Toggle

    (found,) = [each for each in driver.widgets(Toggle) if each.text == text]
    found.dispatch("on_release")
    driver.settle()


def test_answers_hold_at_once_and_are_kept(driver: Driver) -> None:
    toggle(driver, "Take what is certain")
    toggle(driver, "Hints")
    driver.named("2 min").dispatch("on_release")
    driver.settle()
    assert driver.app.desk.hints is False
    assert driver.app.desk._manners.auto_confirm is True
    assert driver.app.desk._manners.turn_limit_s == 120
    assert "auto_confirm = true" in kept(driver)
    assert "hints = false" in kept(driver)
    assert "turn_limit_s = 120" in kept(driver)


def test_the_screen_goes_dark_when_it_is_told_to(driver: Driver) -> None:
    driver.named("60 min").dispatch("on_release")
    assert driver.app.touches.blank_s == 3600
    driver.named("Never").dispatch("on_release")
    assert driver.app.touches.blank_s == 0


def test_what_the_file_says_is_among_the_answers(driver: Driver) -> None:
    driver.app.settings.change("play", "turn_limit_s", 90)
    driver.app.open("settings")
    driver.settle()
    assert driver.named("90 s").chosen
    assert not driver.named("2 min").chosen


def test_another_language_is_spoken_at_once(driver: Driver) -> None:
    try:
        driver.named("Deutsch").dispatch("on_release")
        driver.settle()
        assert driver.app.page.name == "settings"
        assert driver.named("Zurück")
        assert 'language = "de"' in kept(driver)
    finally:
        driver.app.speak("en")


def test_what_cannot_be_kept_is_told_and_does_not_hold(driver: Driver) -> None:
    driver.app.settings.own.write_text("[play\n")
    toggle(driver, "Hints")
    assert driver.app.desk.hints is True
    driver.press("Close")
    assert kept(driver) == "[play\n"


def test_a_press_of_a_button_is_seen_on_the_wiring_page(driver: Driver) -> None:
    driver.press("Buttons")
    driver.settle()
    page = driver.app.page
    assert all("free" in line.text for line in page._lines.values())
    driver.app.desk.simulated.press(Key(Control.CONFIRM))
    driver.settle()
    assert sum("pressed" in line.text for line in page._lines.values()) == 1
    driver.press("Roll")
    driver.until(lambda: len(driver.app.desk.panel.die.rolls) == 1, "the roll")


def test_a_light_is_lit_by_a_tap(driver: Driver) -> None:
    driver.app.open("wiring")
    driver.settle()
    name = driver.app.desk.panel.lights.names[0]
    device = driver.app.desk.panel.lights._devices[name]
    driver.press(name)
    assert device.value == 1
    driver.until(lambda: device.value == 0, "the light to go out")


def test_the_camera_page_tells_how_sharp_the_picture_is(driver: Driver) -> None:
    driver.press("Camera")
    driver.until(lambda: driver.app.page.sharp > 0, "a picture")
    assert driver.app.page.best >= driver.app.page.sharp
    driver.app.open("settings")
    assert not driver.app._manager.get_screen("camera")._preview.running


def test_the_picture_is_turned_at_once(driver: Driver) -> None:
    driver.press("Camera")
    preview = driver.app.page._preview
    driver.until(lambda: preview.seen is not None, "a picture")
    height, width = preview.seen.image.shape[:2]
    driver.press("90°")
    driver.until(lambda: preview.seen.image.shape[:2] == (width, height), "the turned picture")
    assert "rotation = 90" in kept(driver)


def test_focusing_again_opens_the_camera_anew_and_begins_to_compare(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    device, watcher = driver.app.desk._cameras(driver.app.desk.config.camera)(), driver.app.desk.camera
    driver.press("Camera")
    driver.until(lambda: driver.app.page.sharp > 0, "a picture")
    driver.app.page.best = 1e9
    monkeypatch.setattr(watcher, "reopen", lambda factory: opened.append(factory()))
    driver.press("Focus again")
    assert opened == [device]
    driver.until(lambda: 0 < driver.app.page.best < 1e9, "the next picture")


def test_only_one_light_is_lit_at_a_time_and_none_when_one_leaves(driver: Driver) -> None:
    driver.app.open("wiring")
    driver.settle()
    lights = driver.app.desk.panel.lights
    for name in lights.names[:2]:
        driver.press(name)
    assert [device.value for device in lights._devices.values()] == [0, 1, 0, 0, 0]
    driver.press("centre")
    assert sum(device.value for device in lights._devices.values()) == 0
    assert sum(driver.app.desk.panel.die._board.value) == 1
    driver.app.open("settings")
    assert sum(driver.app.desk.panel.die._board.value) == 0


def test_a_backup_is_written_and_told(driver: Driver, tmp_path: Path) -> None:
    driver.press("Backup")
    driver.until(lambda: len(driver.app.root_window.children) > 1, "the question")
    driver.press("Plays and photographs")
    driver.until(lambda: list((tmp_path / "backups").glob("plays-*.sqlite")) != [], "the backup")
    driver.until(lambda: len(driver.app.root_window.children) > 1, "the answer")
    driver.press("Close")
    driver.press("Backup")
    driver.until(lambda: len(driver.app.root_window.children) > 1, "the question")
    told = [widget.text for widget in driver.widgets() if "newest backup" in getattr(widget, "text", "")]
    assert told
    assert all(f"{datetime.now().astimezone():%d.%m.%Y}" in text for text in told)


def test_the_computer_is_switched_off_only_by_holding(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(settings_page, "switch_off", lambda: asked.append("off"))
    driver.press("Switch off")
    driver.press("Switch the computer off")
    (hold,) = driver.widgets(Hold)
    driver.tap(hold)
    driver.frames(5)
    assert asked == []
    hold.dispatch("on_press")
    driver.wait(HOLD_S)
    driver.until(lambda: asked == ["off"], "the computer to be switched off")
    driver.until(lambda: driver.app._ending, "the companion to end")


def test_a_computer_that_stays_on_says_why(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses() -> None:
        raise PowerError("The system refuses.")

    monkeypatch.setattr(settings_page, "restart", refuses)
    driver.app.page._ask_power()
    driver.settle()
    driver.press("Start it again")
    (hold,) = driver.widgets(Hold)
    hold.dispatch("on_press")
    driver.until(
        lambda: "The system refuses." in [getattr(each, "text", "") for each in driver.widgets()], "the reason"
    )
    assert not driver.app._ending


def test_plays_are_brought_back_from_a_backup(driver: Driver, tmp_path: Path) -> None:
    with Store.open(tmp_path / "old" / "plays.sqlite", RULES, now().wall) as old:
        old.begin("evening", Journal("cassa-grande", Setup(), {0: "Zoë"}), now().wall)
        back_up(old, tmp_path / "backups", now().wall)
    driver.press("Backup")
    driver.until(lambda: len(driver.app.root_window.children) > 1, "the question")
    driver.press("Bring plays back")
    driver.until(lambda: any("this computer" in getattr(w, "text", "") for w in driver.widgets()), "the backups")
    (which,) = [tap for tap in driver.widgets(Tap) if "this computer" in tap.text]
    driver.tap(which)
    driver.press("Bring them back")
    driver.until(lambda: any("Added: 1." in getattr(w, "text", "") for w in driver.widgets()), "the answer")
    assert [play.id for play in driver.app.desk.store.plays()] == ["evening"]
