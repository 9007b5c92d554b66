"""A keyboard of our own for names: no other one comes up over a window that fills the screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.core.window import Window
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.modalview import ModalView

from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.panel import Row

LETTERS = ("qwertyuiop", "asdfghjkl'", "zxcvbnm-.")
DIGITS = ("1234567890", "&+()/!?,:;", "_#@*=§°")
ALIKE = {
    "a": "àáâäãåāąăæ",
    "c": "çćčċ",
    "d": "ďđð",
    "e": "èéêëēęěė",
    "g": "ğģġ",
    "h": "ħ",
    "i": "ìíîïīįı",
    "k": "ķ",
    "l": "łľļĺ",
    "n": "ñńňņ",
    "o": "òóôöõøōőœ",
    "r": "řŕ",
    "s": "śšşșß",
    "t": "ťțþ",
    "u": "ùúûüūůűų",
    "w": "ŵ",
    "y": "ýÿŷ",
    "z": "źżž",
}
"""Letters with accents, by the letter that is typed before."""

MOST_LETTERS = 24
MOST_ALIKE = 10


class Keyboard(ModalView):
    """Asks for a text of at most so many letters, and gives it to `done`. A plugged-in keyboard types too.

    `optional`: it may be empty.
    """

    title = StringProperty("")
    text = StringProperty("")
    capital = BooleanProperty(True)
    digits = BooleanProperty(False)
    empty = BooleanProperty(True)

    def __init__(
        self, done: Callable[[str], object], *, most: int = MOST_LETTERS, optional: bool = False, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self._done, self._most, self._optional = done, most, optional
        self.fbind("text", self._typed)
        self.fbind("capital", self._lay_out)
        self.fbind("digits", self._lay_out)
        self._lay_out()
        self._typed()

    def show(self) -> Keyboard:
        """Open it."""
        Window.bind(on_textinput=self._plugged, on_key_down=self._plugged_key)
        self.open(animation=False)
        return self

    def on_dismiss(self) -> None:
        """It has been closed."""
        Window.unbind(on_textinput=self._plugged, on_key_down=self._plugged_key)

    def put(self, letter: str) -> None:
        """Type a letter."""
        if len(self.text) < self._most:
            self.text += letter.upper() if self.capital else letter
            self.capital = letter in " -."

    def erase(self) -> None:
        """Take the last letter away."""
        self.text = self.text[:-1]
        self.capital = not self.text or self.text[-1] in " -."

    def accept(self) -> None:
        """The name is complete."""
        name = unicodedata.normalize("NFC", " ".join(self.text.split()))
        self.dismiss(animation=False)
        self._done(name)

    def _typed(self, *_: Any) -> None:
        """Offer the last letter with its accents."""
        self.empty = not (self._optional or self.text.strip())
        last = self.text[-1:]
        alike = ALIKE.get(last.lower(), "")[:MOST_ALIKE]
        strip = self.ids.alike
        strip.clear_widgets()
        for letter in alike:
            shown = letter.upper() if last.isupper() and len(letter.upper()) == 1 else letter
            strip.add_widget(_key(shown, partial(self._put_instead, shown)))

    def _lay_out(self, *_: Any) -> None:
        for number, letters in enumerate(DIGITS if self.digits else LETTERS):
            row: Row = self.ids[f"row{number}"]
            row.clear_widgets()
            for letter in letters:
                shown = letter.upper() if self.capital else letter
                row.add_widget(_key(shown, partial(self.put, letter)))

    def _put_instead(self, letter: str) -> None:
        self.text = self.text[:-1] + letter

    def _plugged(self, _window: Any, text: str) -> bool:
        self.text = (self.text + text)[: self._most]
        return True

    def _plugged_key(self, _window: Any, key: int, *_: Any) -> bool:
        if key == 8:
            self.erase()
        elif key == 13:
            self.accept()
        elif key == 27:
            self.dismiss(animation=False)
        return True


def _key(shown: str, deed: Callable[[], object]) -> Tap:
    return Tap(shown, deed, size_hint_y=1, inset=0)


load_rules(__file__)
