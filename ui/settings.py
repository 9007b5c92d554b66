"""The settings in use, and what people change of them on the screen: that goes into the owner's own file.

What else stands in that file, comments and all, stays as it is. Only what differs from the layers below is kept in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError

from companion.box import MOST_BYTES
from companion.errors import CompanionError, brief, printable
from companion.files import told, write_text
from companion.language import _
from companion.textfile import read_text
from ui import config as files
from ui.config import Config
from ui.config_rules import RULES


class SettingsError(CompanionError):
    """A setting could not be kept."""


class Settings:
    """The settings in use. `below` are those that would hold without the owner's own file, which is `own`.

    Where the layers below cannot stand alone, `below` is None, and whatever is changed is kept. `heed` is told of every
    change, once it is on the disk.
    """

    def __init__(self, config: Config, below: Config | None = None, own: Path | None = None) -> None:
        self.config, self._below, self._own = config, below, own
        self.heed: Callable[[Config], object] | None = None

    @property
    def own(self) -> Path | None:
        """The file that changes go into."""
        return self._own

    def get(self, table: str, key: str) -> Any:
        """The value in use."""
        return getattr(getattr(self.config, table), key)

    def change(self, table: str, key: str, value: Any) -> None:
        """Use another value from now on, and keep it. Raises: SettingsError, StoreError."""
        checked = RULES[table][key](list(value) if isinstance(value, tuple) else value)
        if self._own is not None:
            self._keep(self._own, table, key, value)
        values = replace(getattr(self.config, table), **{key: checked})
        self.config = replace(self.config, **{table: values})
        if self.heed is not None:
            self.heed(self.config)

    def _keep(self, own: Path, table: str, key: str, value: Any) -> None:
        is_default = self._below is not None and value == getattr(getattr(self._below, table), key)
        text = changed(self._text(own), table, key, None if is_default else value)
        # The next start would refuse a file that is wrong: better not to write it.
        files.check(own, text)
        with told(own):
            own.parent.mkdir(parents=True, exist_ok=True)
            # A link stays one.
            target = own.resolve()
        write_text(target, text)

    def _text(self, own: Path) -> str:
        if not own.exists():
            return ""
        try:
            text = read_text(own, MOST_BYTES)
            # A power cut may leave a file of zero bytes.
            text = text if text.strip("\0") else ""
            files.check(own, text)
            tomlkit.parse(text)
        except (CompanionError, ParseError) as error:
            path = printable(str(own))
            reason = brief(str(error).removeprefix(path).removeprefix(": "), 80)
            sentence = _("{path} cannot be changed: put it right, or delete it. ({reason})")
            raise SettingsError(sentence.format(path=path, reason=reason)) from error
        return text


def changed(text: str, table: str, key: str, value: Any) -> str:
    """A TOML text with one value set in one of its tables, or taken out of it (None); all else stays as it is."""
    document = tomlkit.parse(text)
    inner = document.get(table)
    if value is None:
        if inner is not None:
            inner.pop(key, None)
    elif inner is None:
        document[table] = tomlkit.table()
        document[table][key] = value
    else:
        inner[key] = value
    return tomlkit.dumps(document)
