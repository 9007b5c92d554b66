"""An error that nobody has foreseen is written down and said, and the evening goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kivy.base import ExceptionManager

from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from ui.mishaps import LOG_BYTES, LOGS_KEPT, Mishaps
from ui.widgets.dialog import Dialog

Driver = Any


class BrokenError(Exception):
    pass


def broken(*_: Any) -> None:
    raise BrokenError("a page that cannot be drawn")


@pytest.fixture
def table(start: Callable[..., Driver]) -> Driver:
    driver = start((800, 480))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {})
    driver.app.open("table")
    driver.settle()
    return driver


def break_page(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver.app.page, "show", broken)
    driver.app._shown = None


def test_the_evening_goes_on(table: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "companion.log"
    with Mishaps(log, table.app):
        assert not log.exists()
        with monkeypatch.context() as patched:
            break_page(table, patched)
            table.wait(0.3)
        assert "BrokenError: a page that cannot be drawn" in log.read_text("utf-8")
        assert any(dialog.title == "Something went wrong" for dialog in table.widgets(Dialog))
        table.settle()
        table.press("Go on")
        table.tap(table.app.page.board.grid.cells[(0, 0)])
        assert table.app.view.revision == 1


def test_the_app_steps_on_after_an_error_in_a_step(table: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        break_page(table, patched)
        with pytest.raises(BrokenError):
            table.wait(2)
    steps = []
    monkeypatch.setattr(table.app, "step", lambda: steps.append(1))
    table.until(lambda: len(steps) > 3, "further steps")


def test_the_way_home_is_open(table: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Mishaps(tmp_path / "companion.log", table.app):
        break_page(table, monkeypatch)
        table.wait(0.3)
        table.press("Home")
        assert table.app.page.name == "home"
        table.named("Go on")


def test_the_same_error_again_is_written_once_and_told_once(table: Driver, tmp_path: Path) -> None:
    log = tmp_path / "companion.log"
    with Mishaps(log, table.app) as mishaps:
        for _ in range(50):
            with pytest.raises(BrokenError) as error:
                broken()
            assert mishaps.handle_exception(error.value) == ExceptionManager.PASS
        table.settle()
        assert log.read_text("utf-8").count("Traceback") == 1
        assert len([child for child in table.app.root_window.children if isinstance(child, Dialog)]) == 1
        table.press("Go on")


def test_the_log_stays_small(table: Driver, tmp_path: Path) -> None:
    with Mishaps(tmp_path / "companion.log", table.app) as mishaps:
        for number in range(40):
            # Each of another kind, else it would be written once.
            mishaps.handle_exception(type(f"Broken{number}Error", (Exception,), {})("x" * 20_000))
        table.settle()
        table.press("Go on")
    sizes = [path.stat().st_size for path in tmp_path.glob("companion.log*")]
    assert len(sizes) == LOGS_KEPT + 1
    assert max(sizes) <= LOG_BYTES


@pytest.mark.parametrize("end", [KeyboardInterrupt(), SystemExit(1)])
def test_what_shall_end_the_app_ends_it(table: Driver, tmp_path: Path, end: BaseException) -> None:
    with Mishaps(tmp_path / "companion.log", table.app) as mishaps:
        assert mishaps.handle_exception(end) == ExceptionManager.RAISE
