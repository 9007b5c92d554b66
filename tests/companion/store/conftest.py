from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.journal import Journal, Played
from companion.kept import Kept
from companion.score import ScoreLine, ScoreSheet
from companion.store import Store

RULES = {name: game.rules for name, game in GAMES.items()}
START = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory, where there is such a thing: every entry is synced, and that is slow on a disk."""
    memory = Path("/dev/shm")  # noqa: S108
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name)


@pytest.fixture
def start() -> datetime:
    return START


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "companion.db"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., Store]]:
    """Opens the store at `path`, or at another place, and closes it after the test."""
    stores: list[Store] = []

    def open_store(at: Path = path, wall: datetime = START, busy_s: float = 0.05) -> Store:
        stores.append(Store.open(at, RULES, wall, busy_s))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


@pytest.fixture
def journal() -> Callable[..., Journal[Any, Any]]:
    def make(*names: str, players: int = 4) -> Journal[Any, Any]:
        setup = Setup(players=players)
        return Journal("cassa-grande", setup, dict(zip(setup.seats, names, strict=False)))

    return make


@pytest.fixture
def kept() -> Callable[..., list[Kept[Any]]]:
    """So many entries from a number on, a minute apart, each with its own cell and seconds."""

    def make(count: int, first: int = 0) -> list[Kept[Any]]:
        return [
            Kept(
                Played(Placed(number % 4, (number // 90, number % 90))),
                START + timedelta(minutes=number),
                10 + number / 8,
            )
            for number in range(first, first + count)
        ]

    return make


@pytest.fixture
def sheet() -> Callable[..., ScoreSheet]:
    """A result: a total for each seat, from the first on."""

    def make(*totals: int, seats: tuple[int, ...] = (0, 1, 2, 3), lower: bool = False, title: str = "Round 1") -> Any:
        lines = tuple(ScoreLine(seat, total, "x") for seat, total in zip(seats, totals, strict=True))
        return ScoreSheet(title, seats, lines, lower)

    return make


@pytest.fixture
def small_files() -> Callable[[int], AbstractContextManager[None]]:
    """While it lasts, no file may grow past so many bytes."""

    @contextmanager
    def limited(most_bytes: int) -> Iterator[None]:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return limited


@pytest.fixture
def ordinary_user() -> Callable[[], AbstractContextManager[None]]:
    """While it lasts, we are not root, whom no permission stops."""

    @contextmanager
    def lowered() -> Iterator[None]:
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield
        finally:
            if root:
                os.seteuid(0)

    return lowered


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach; pytest's own are for one user only."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder
        folder.chmod(0o777)
