"""`companion table` with a file beside it that says what can be tapped and where.

Usage: watched.py FILE [what follows `companion table`...]
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from beside import run_table, seen


def taps() -> dict[str, tuple[float, float]]:
    """The middle of everything that can be tapped, by its text; pixels from the window's top left corner."""
    from kivy.core.window import Window

    from ui.boards.cells import Cell
    from ui.widgets.badge import PersonTap
    from ui.widgets.button import Tap

    found = {"{},{}".format(*cell.spot): cell for cell in seen(Cell)}
    found |= {person.named: person for person in seen(PersonTap)}
    found |= {tap.text: tap for tap in seen(Tap)}
    places = {name: widget.to_window(*widget.center) for name, widget in found.items()}
    return {name: (x, Window.height - y) for name, (x, y) in places.items()}


def write(file: Path, app: Any) -> None:
    """Say how things stand; whoever reads never finds half a file."""
    new = file.with_suffix(".new")
    revision = None if app.view is None else app.view.revision
    new.write_text(json.dumps({"page": app.page.name, "revision": revision, "taps": taps()}), encoding="utf-8")
    new.replace(file)


if __name__ == "__main__":
    sys.exit(run_table(sys.argv[2:], partial(write, Path(sys.argv[1]))))
