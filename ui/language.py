"""The language of the screen's own texts. English stands in the code; a catalogue may replace it, text by text.

Texts are asked for when they are shown, never when a module is imported, so that the language can change.
"""

from __future__ import annotations

from gettext import NullTranslations

_catalogue = NullTranslations()


def use(catalogue: NullTranslations) -> None:
    """From now on, take texts from this catalogue."""
    global _catalogue
    _catalogue = catalogue


def _(text: str) -> str:
    """A text in the language that is used."""
    return _catalogue.gettext(text)


def counted(one: str, many: str, count: int) -> str:
    """A text about one or several things, with `{count}` filled in."""
    return _catalogue.ngettext(one, many, count).format(count=count)
