"""`companion table` as people start and end it, and the commands that need no screen."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from ui.status import Status

LATEST_END_S = 3.0
PATIENCE_S = 60.0
LIT = Path(__file__).parents[1] / "children/lit.py"
SCREENS = ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY", "DISPLAY")


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text('[data]\nfolder = "data"\n[screen]\nsize = [480, 320]\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_play_in_good_order(settings: Path, sent: signal.Signals) -> None:
    """Saved, lights off, and soon."""
    environment = {**os.environ, "SDL_VIDEODRIVER": "offscreen"}
    command = [sys.executable, str(LIT), "--config", str(settings)]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as app:
        assert app.stdout is not None
        lit = json.loads(app.stdout.readline())
        app.send_signal(sent)
        began = time.monotonic()
        told, errors = app.communicate(timeout=PATIENCE_S)
    assert time.monotonic() - began < LATEST_END_S
    assert app.returncode == 0, errors
    assert lit == ["GPIO21"], "seat A's light"
    assert json.loads(told) == [], "pins that are still high"
    with closing(sqlite3.connect(settings.parent / "data/simulated.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM play").fetchone() == (1,)


@pytest.mark.parametrize("display", ["", ":4711"])
def test_without_a_screen_the_command_says_so_in_one_sentence(settings: Path, display: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in SCREENS} | {"DISPLAY": display}
    command = [sys.executable, "-m", "ui.main", "table", "--simulate", "--config", str(settings)]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    assert told.returncode == Status.NO_SCREEN
    assert told.stderr.count("\n") == 1
    assert told.stderr.startswith("No screen can be opened: ")
    assert not (settings.parent / "data/simulated.sqlite").exists()


def test_commands_without_a_screen_do_not_import_kivy() -> None:
    code = (
        "import sys, importlib\n"
        "from ui.main import COMMANDS\n"
        "for command in COMMANDS.values(): importlib.import_module(command.module)\n"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] == 'kivy'))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert told.stdout.strip() == "[]"
