"""`companion table` as people start and end it, and the commands that need no screen."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

LATEST_END_S = 3.0
PATIENCE_S = 60.0
TABLE = "import sys; from ui.main import main; sys.exit(main(['table', '--simulate', *sys.argv[1:]]))"


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text('[data]\nfolder = "data"\n[screen]\nsize = [480, 320]\n', encoding="utf-8")
    return path


def catches(process: int, number: signal.Signals) -> bool:
    """Whether a process has a handler of its own for a signal."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (number - 1) & 1)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_app_in_good_order(settings: Path, sent: signal.Signals) -> None:
    environment = {**os.environ, "SDL_VIDEODRIVER": "offscreen"}
    plays = settings.parent / "data/simulated.sqlite"
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", TABLE, "--config", str(settings)], env=environment, stderr=subprocess.PIPE, text=True
    ) as app:
        end = time.monotonic() + PATIENCE_S
        while not catches(app.pid, signal.SIGTERM):
            assert time.monotonic() < end, "waited in vain for the app"
            time.sleep(0.1)
        app.send_signal(sent)
        began = time.monotonic()
        _, told = app.communicate(timeout=PATIENCE_S)
    assert time.monotonic() - began < LATEST_END_S
    assert app.returncode == 0, told
    with sqlite3.connect(plays) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_commands_without_a_screen_do_not_import_kivy() -> None:
    code = (
        "import sys, importlib\n"
        "from ui.main import COMMANDS\n"
        "for command in COMMANDS.values(): importlib.import_module(command.module)\n"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] == 'kivy'))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert told.stdout.strip() == "[]"
