"""The app killed (SIGKILL) while it is played: the next start offers the play, with every entry that was shown.

`tests/proofs/app_plug.py` does it many times; here a few show that it still does.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROOF = Path(__file__).parents[2] / "proofs/app_plug.py"


def test_a_play_outlives_the_plug() -> None:
    command = [sys.executable, str(PROOF), "--times", "3", "--seed", "7"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.endswith(" 0 faults\n")
