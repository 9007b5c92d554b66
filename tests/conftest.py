"""Settings for every test, and a language that shows which texts come from a catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from gettext import NullTranslations

import pytest
from hypothesis import settings

from companion import language

# Machines that share their cores are slow now and then; that is no failure of the code.
settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")


class Capitals(NullTranslations):
    """Every text in capitals, its facts as they are."""

    def gettext(self, message: str) -> str:
        pieces = message.replace("{", "}").split("}")
        return "".join(f"{{{piece}}}" if number % 2 else piece.upper() for number, piece in enumerate(pieces))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def speak_in_capitals() -> Iterator[Callable[[], None]]:
    """From its call to the end of the test, what comes from a catalogue stands in capitals."""
    yield lambda: language.use(Capitals())
    language.use(NullTranslations())
