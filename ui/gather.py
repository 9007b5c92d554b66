"""Brings the catalogues up to date with the texts in the code: for whoever translates, not for the app.

Texts are what stands in `_`, `later` and `counted`, in modules and in Kivy's rules, and the games' sentences. New
ones come into each `companion.po` with an empty translation, those that are gone leave it, and `companion.mo` is
written from it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion import wording
from companion.games import GAMES
from ui.catalogues import DOMAIN, FOLDER, LANGUAGES

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "hardware", "vision", "ui")
KEYWORDS = {"_": None, "later": None, "counted": (1, 2)}

TABLES = (wording.COMMON_REFUSALS, wording.COMMON_EVENTS, wording.COMMON_LINES, wording.TOLD)

PLURALS = {"de": "nplurals=2; plural=(n != 1);", "fr": "nplurals=2; plural=(n > 1);"}
"""How a language counts one and several."""

Text = str | tuple[str, ...]
"""A text, or the two forms of a counted one."""

_IN_RULES = re.compile(r"\b_\('((?:[^'\\]|\\.)*)'\)")


def texts() -> Iterator[tuple[Text, str]]:
    """Every text that the app may show, and the file where it stands."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for _line, text, _comments, _context in extract_from_file("python", path, keywords=KEYWORDS):
                yield text, str(path.relative_to(ROOT))
        for path in sorted((ROOT / package).rglob("*.kv")):
            for text in _IN_RULES.findall(path.read_text(encoding="utf-8")):
                yield text, str(path.relative_to(ROOT))
    yield from _sentences("companion/wording.py", *TABLES)
    for game in GAMES.values():
        told = game.sentences
        place = f"companion/games/{game.name.replace('-', '_')}"
        yield from _sentences(f"{place}/wording.py", told.refusals, told.events, told.lines)


def _sentences(place: str, *tables: Mapping[str, str]) -> Iterator[tuple[Text, str]]:
    for table in tables:
        for sentence in table.values():
            yield sentence, place


def template() -> Catalog:
    """All texts, without any translation."""
    gathered = Catalog(project="Table Companion", charset="utf-8", fuzzy=False)
    for text, place in texts():
        if text:
            gathered.add(text, locations=[(place, 0)])
    return gathered


def po_file(language: str) -> Path:
    """Where the translations into a language are written."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """The translations into a language, as they are written."""
    with po_file(language).open("rb") as file:
        return read_po(file, language, DOMAIN)


def update(language: str, gathered: Catalog) -> list[str]:
    """Bring one language's files up to date. Returns the texts that have no translation yet."""
    path = po_file(language)
    known = read(language) if path.exists() else _begun(language)
    dates = known.creation_date, known.revision_date
    known.update(gathered, no_fuzzy_matching=True)
    known.obsolete.clear()
    # A file changes only where a text does.
    known.creation_date, known.revision_date = dates
    known.version = known.msgid_bugs_address = ""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, known, width=120, sort_output=True, include_lineno=False)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, known)
    return [str(message.id) for message in known if message.id and not all(forms(message.string))]


def _begun(language: str) -> Catalog:
    now = datetime.now(UTC)
    begun = Catalog(
        language,
        DOMAIN,
        f"# Table Companion in {LANGUAGES[language]}",
        project="Table Companion",
        creation_date=now,
        revision_date=now,
        last_translator="Table Companion contributors",
        language_team=LANGUAGES[language],
        fuzzy=False,
    )
    begun.mime_headers = [("Plural-Forms", PLURALS[language])]
    return begun


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """The one form of a text, or both of a counted one; a translation that is not there is one empty form."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def main() -> int:
    """Bring all catalogues up to date, and say what is to be translated; then the exit status is 1."""
    argparse.ArgumentParser(prog="deploy/translate", description="Bring the catalogues up to date.").parse_args()
    gathered, lacking = template(), 0
    for language in LANGUAGES:
        if language != "en":
            empty = update(language, gathered)
            lacking += len(empty)
            print(f"{language}: {len(gathered)} texts, {len(empty)} without a translation")
            for text in empty:
                print(f"  {text}")
    return 1 if lacking else 0


if __name__ == "__main__":
    raise SystemExit(main())
