"""Problems that were handed in: the program reads each of them rightly now, or at least asks where it does not.

A folder that the button "This was wrong" has saved is put in here as it is, with what it should come to.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.problems import Verdict, load, read_again

HERE = Path(__file__).parent
EXPECTED = {
    "exchanged-cards": Verdict.MENDED,
    "hidden-card": Verdict.ASKS,
}


def test_every_problem_here_is_looked_at() -> None:
    assert {path.name for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"} == EXPECTED.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_a_problem_is_mended_or_asked_about(name: str) -> None:
    again = read_again(load(HERE / name))
    assert again.verdict is EXPECTED[name]
    if again.verdict is Verdict.MENDED:
        assert again.rows == again.right


@pytest.mark.parametrize("name", EXPECTED)
def test_a_problem_is_small_enough_to_be_kept_here(name: str) -> None:
    assert sum(path.stat().st_size for path in (HERE / name).iterdir()) < 1_000_000
