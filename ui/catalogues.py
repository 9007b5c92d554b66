"""The languages of the app: which there are, which one people want, and where its texts come from.

Catalogues are gettext's, `locale/LANGUAGE/LC_MESSAGES/companion.mo`; English stands in the code. `deploy/translate`
brings them up to date.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from pathlib import Path

from companion import language

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""What each language calls itself."""

AUTO = "auto"
"""The setting for the system's own language."""

DOMAIN = "companion"
FOLDER = Path(__file__).parent / "locale"

VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a system says which languages its people read, the one that counts first.

Source: GNU gettext manual, "Locale Environment Variables".
"""


def wanted(setting: str, environment: Mapping[str, str]) -> str:
    """The language that a setting means: one of `LANGUAGES`. The system's is English where there is no other."""
    if setting != AUTO:
        return setting
    said = next((environment[variable] for variable in VARIABLES if environment.get(variable)), "")
    codes = (each.partition(".")[0].partition("_")[0] for each in said.split(":"))
    return next((code for code in codes if code in LANGUAGES), "en")


def speak(name: str) -> None:
    """From now on, all texts are of this language; a language without a catalogue is shown in English."""
    language.use(gettext.translation(DOMAIN, FOLDER, [name], fallback=True))
