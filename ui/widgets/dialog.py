"""Dialogs: over the page, one at a time, closed by a button of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.properties import StringProperty
from kivy.uix.modalview import ModalView

from companion.language import _
from ui.widgets import load_rules
from ui.widgets.button import Hold, Tap

Deed = Callable[[], object]


class Dialog(ModalView):
    """A title, a text that may be long, and buttons."""

    title = StringProperty("")
    text = StringProperty("")

    def add(self, label: str, deed: Deed | None = None, kind: str = "plain", *, disabled: bool = False) -> Tap:
        """Add a button. It closes the dialog, then does its deed. Plain ones may be many, and scroll with the text."""
        button = Tap(label, lambda: self._chosen(deed), kind=kind, disabled=disabled)
        (self.ids.buttons if kind == "plain" else self.ids.ends).add_widget(button)
        return button

    def _chosen(self, deed: Deed | None) -> None:
        self.dismiss(animation=False)
        if deed is not None:
            deed()

    def show(self) -> Dialog:
        """Open it."""
        self.open(animation=False)
        return self


def tell(title: str, text: str) -> Dialog:
    """A dialog that only says something."""
    dialog = Dialog(title=title, text=text)
    dialog.add(_("Close"), kind="primary")
    return dialog.show()


def choose(title: str, choices: Sequence[tuple[str, Deed]], text: str = "") -> Dialog:
    """A dialog with a list of things to do."""
    dialog = Dialog(title=title, text=text)
    for label, deed in choices:
        dialog.add(label, deed)
    dialog.add(_("Close"), kind="quiet")
    return dialog.show()


def ask(title: str, text: str, yes: str, deed: Deed) -> Dialog:
    """A dialog that asks before something is done."""
    dialog = Dialog(title=title, text=text)
    dialog.add(yes, deed, kind="primary")
    dialog.add(_("Not now"), kind="quiet")
    return dialog.show()


def ask_hold(title: str, text: str, yes: str, deed: Deed) -> Dialog:
    """A dialog that asks before something is done that a mere slip of the finger must not do."""
    dialog = Dialog(title=title, text=text)

    def held() -> None:
        dialog.dismiss(animation=False)
        deed()

    dialog.ids.ends.add_widget(Hold(yes, held, kind="primary"))
    dialog.add(_("Not now"), kind="quiet")
    return dialog.show()


load_rules(__file__)
