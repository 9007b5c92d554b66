"""The language of what is told to people. English stands in the code; a catalogue may replace it, text by text.

Texts are asked for when they are shown, never when a module is imported, so that the language can change. What is
stored is never asked for here.
"""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations

WORDS = ("part", "side", "what")
"""Names of facts that are words of a language, and not names, numbers or pieces."""

_catalogue = NullTranslations()


def use(catalogue: NullTranslations) -> None:
    """From now on, take texts from this catalogue."""
    global _catalogue
    _catalogue = catalogue


def _(text: str) -> str:
    """A text in the language that is used."""
    return _catalogue.gettext(text)


def later(text: str) -> str:
    """The text itself, marked for the catalogues: `told` translates it when it is shown."""
    return text


def told(template: str, facts: Mapping[str, object]) -> str:
    """A marked text in the language that is used, filled from the facts.

    Facts named in `WORDS` are marked texts themselves.
    """
    words = {key: _(fact).format(**facts) for key in WORDS if isinstance(fact := facts.get(key), str) and fact}
    return _(template).format(**{**facts, **words}) if facts else _(template)


def counted(one: str, many: str, count: int) -> str:
    """A text about one or several things, with `{count}` filled in."""
    return _catalogue.ngettext(one, many, count).format(count=count)
