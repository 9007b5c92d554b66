"""Work that the screen must not wait for: done on a thread of its own, and told on the screen's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from kivy.clock import Clock

from companion.errors import CompanionError

ResultT = TypeVar("ResultT")


def in_background(
    job: Callable[[], ResultT], done: Callable[[ResultT], object], failed: Callable[[CompanionError], object]
) -> None:
    """Do the job, then call `done` with what it returns, or `failed` with its error; these two on the screen's thread.

    What nobody has foreseen is raised there too, where it is written down.
    """

    def run() -> None:
        try:
            result = job()
        except CompanionError as error:
            told = error
            Clock.schedule_once(lambda _dt: failed(told))
        except Exception as error:
            unforeseen = error
            Clock.schedule_once(lambda _dt: _raise(unforeseen))
        else:
            Clock.schedule_once(lambda _dt: done(result))

    # A daemon: what hangs must not keep the program from ending.
    threading.Thread(target=run, name="background", daemon=True).start()


def _raise(error: Exception) -> None:
    raise error
