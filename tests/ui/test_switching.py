"""Brightness, switching off and backups."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.errors import StoreError
from companion.store import Store
from ui.backlight import BacklightError, backlight, refusal, shine
from ui.backup import back_up, check, newest
from ui.desk import RULES
from ui.power import PowerError, restart, switch_off

WALL = datetime(2026, 12, 1, 20, 15, tzinfo=UTC)


@pytest.fixture
def device(tmp_path: Path) -> Path:
    (tmp_path / "panel").mkdir()
    (tmp_path / "panel" / "max_brightness").write_text("255\n")
    (tmp_path / "panel" / "brightness").write_text("10\n")
    return tmp_path / "panel"


def test_the_brightness_is_a_share_of_the_most(device: Path) -> None:
    assert backlight(device.parent) == device
    shine(device, 50)
    assert (device / "brightness").read_text() == "128"


def test_no_backlight(tmp_path: Path) -> None:
    assert backlight(tmp_path) is None
    assert backlight(tmp_path / "none") is None


def test_a_backlight_of_another_user_is_told_of(device: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(device) == ""
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert str(device / "brightness") in refusal(device)


def test_a_backlight_that_cannot_be_set_says_what_to_do(device: Path) -> None:
    (device / "max_brightness").write_text("?")
    with pytest.raises(BacklightError, match="let this user write"):
        shine(device, 50)


def runs(status: int, told: str = "") -> Any:
    def run(command: list[str], **_rest: Any) -> Any:
        commands.append(command[1:])
        return SimpleNamespace(returncode=status, stderr=told)

    commands: list[list[str]] = []
    run.commands = commands  # type: ignore[attr-defined]
    return run


@pytest.fixture
def systemctl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")


@pytest.mark.usefixtures("systemctl")
def test_the_system_is_asked() -> None:
    run = runs(0)
    switch_off(run)
    restart(run)
    assert run.commands == [["--no-ask-password", "poweroff"], ["--no-ask-password", "reboot"]]


@pytest.mark.usefixtures("systemctl")
def test_a_refusal_is_told() -> None:
    with pytest.raises(PowerError, match="Access denied"):
        switch_off(runs(1, "Access denied\n"))


@pytest.mark.usefixtures("systemctl")
def test_a_system_that_does_not_answer() -> None:
    def hangs(*_: Any, **__: Any) -> None:
        raise subprocess.TimeoutExpired("systemctl", 10)

    with pytest.raises(PowerError, match="use its own menu"):
        switch_off(hangs)


def test_a_system_without_that_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(PowerError, match="its own menu"):
        switch_off(runs(0))


def test_a_backup_is_whole_and_dated(tmp_path: Path) -> None:
    with Store.open(tmp_path / "plays.sqlite", RULES, WALL) as store:
        target = back_up(store, tmp_path / "backups", WALL)
    assert target.name == f"plays-{WALL.astimezone():%Y%m%d-%H%M%S}.sqlite"
    check(target)
    assert newest(tmp_path / "backups") == WALL
    with Store.open(target, RULES, WALL) as again:
        assert again.unfinished() is None


def test_a_backup_that_cannot_be_read_back_is_told(tmp_path: Path) -> None:
    damaged = tmp_path / "plays-20261201-201500.sqlite"
    damaged.write_bytes(b"SQLite format 3\0" + bytes(5000))
    with pytest.raises(StoreError, match="another stick"):
        check(damaged)


def test_photographs_are_copied_once_and_again_when_they_change(tmp_path: Path) -> None:
    mine, backups = tmp_path / "photographs", tmp_path / "backups"
    (mine / "evening").mkdir(parents=True)
    (mine / "evening" / "1.jpg").write_bytes(b"one")
    with Store.open(tmp_path / "plays.sqlite", RULES, WALL) as store:
        back_up(store, backups, WALL, mine)
        copied = backups / "photographs" / "evening" / "1.jpg"
        first = copied.stat().st_ino
        back_up(store, backups, WALL, mine)
        assert copied.stat().st_ino == first
        (mine / "evening" / "1.jpg").write_bytes(b"another")
        back_up(store, backups, WALL, mine)
    assert copied.read_bytes() == b"another"
    assert [path.name for path in copied.parent.iterdir()] == ["1.jpg"]


def test_a_full_stick_keeps_the_backup_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backups = tmp_path / "backups"
    (tmp_path / "photographs" / "evening").mkdir(parents=True)
    (tmp_path / "photographs" / "evening" / "1.jpg").write_bytes(b"one")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Store.open(tmp_path / "plays.sqlite", RULES, WALL) as store:
        before = back_up(store, backups, WALL)
        monkeypatch.setattr(shutil, "copy2", full)
        with pytest.raises(StoreError, match="no room"):
            back_up(store, backups, WALL + timedelta(hours=1), tmp_path / "photographs")
    check(before)
    assert list((backups / "photographs" / "evening").iterdir()) == []


def test_another_file_is_no_backup(tmp_path: Path) -> None:
    (tmp_path / "plays-old.sqlite").touch()
    assert newest(tmp_path) is None


def test_no_backup_yet(tmp_path: Path) -> None:
    assert newest(tmp_path / "backups") is None
