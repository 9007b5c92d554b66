"""What nobody has foreseen must not end the evening: it is written down, said in a sentence, and the app goes on."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from kivy.base import ExceptionHandler, ExceptionManager

from companion.language import _
from ui.screens.page import Navigator
from ui.widgets.dialog import Dialog

LOG_BYTES = 100_000
LOGS_KEPT = 2

_log = logging.getLogger(__name__)


class Mishaps(ExceptionHandler):  # type: ignore[misc] # Kivy has no type information
    """As a context it takes what Kivy's loop catches, and writes tracebacks into the file `log`."""

    def __init__(self, log: Path, nav: Navigator) -> None:
        super().__init__()
        # Opened with the first traceback: most evenings have none.
        self._file = RotatingFileHandler(log, maxBytes=LOG_BYTES, backupCount=LOGS_KEPT, encoding="utf-8", delay=True)
        self._file.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
        self._name, self._nav = log.name, nav
        self._told: Dialog | None = None
        self._last = ""

    def __enter__(self) -> Mishaps:
        _log.addHandler(self._file)
        _log.propagate = False
        ExceptionManager.add_handler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ExceptionManager.remove_handler(self)
        _log.removeHandler(self._file)
        _log.propagate = True
        self._file.close()

    def handle_exception(self, error: BaseException) -> int:
        """Kivy's loop has caught this. Returns what shall become of it."""
        if not isinstance(error, Exception):
            return int(ExceptionManager.RAISE)
        self._write(error)
        try:
            self._tell()
        except Exception:
            # Not even a dialog can be shown; the next step may do better.
            _log.exception("This could not be told.")
        return int(ExceptionManager.PASS)

    def _write(self, error: Exception) -> None:
        # Thirty times a second the same would fill the card.
        happened = f"{type(error).__name__} {_places(error.__traceback__)}"
        if happened != self._last:
            self._last = happened
            _log.error("An unforeseen error.", exc_info=error)

    def _tell(self) -> None:
        if self._told is not None and self._told.parent is not None:
            return
        text = _("Every entry is kept. The details are in {file}.").format(file=self._name)
        self._told = Dialog(title=_("Something went wrong"), text=text)
        self._told.add(_("Go on"), kind="primary")
        self._told.add(_("Home"), self._go_home, kind="quiet")
        self._told.show()

    def _go_home(self) -> None:
        self._nav.desk.lay_aside()
        self._nav.open("home")


def _places(trace: TracebackType | None) -> str:
    """Where it happened, call by call."""
    places = []
    while trace is not None:
        places.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " ".join(places)
