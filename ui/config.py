"""The owner's settings: TOML files in layers, of which each needs to hold only what differs from the one below.

From the lowest: the defaults in the code, `/etc/table-companion/companion.toml`, the user's own
`~/.config/table-companion/companion.toml`, and the file of `--config`. They are checked as a whole, and everything that
is wrong is told at once. `deploy/companion.toml` explains each key.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from companion.box import LONGEST_LINE, MOST_BYTES
from companion.errors import DataError, FileError, brief, printable, quoted
from companion.textfile import read_text
from hardware.wiring import DEFAULT, DEFAULT_TEXT, Wiring
from ui.catalogues import AUTO
from ui.config_rules import RULES, Rule

SYSTEM_FILE = Path("/etc/table-companion/companion.toml")
NAME = "table-companion"

NOT_CONNECTED = "none"
"""What stands in `[wiring]` for a pin, or for a table of pins, that a layer below names and that is not connected."""

Tables = dict[str, dict[str, Any]]


class ConfigError(DataError):
    """One or more settings cannot be used; each sentence begins with the file's name."""


@dataclass(frozen=True, slots=True)
class Data:
    """Where plays are kept, and whether with the pictures of their turns."""

    folder: Path
    photographs: bool = True

    @property
    def plays(self) -> Path:
        """The database."""
        return self.folder / "plays.sqlite"


@dataclass(frozen=True, slots=True)
class Camera:
    """Which camera looks at the table. `size` is width and height in pixels; `rotation` in degrees, clockwise."""

    kind: str = "auto"
    folder: Path | None = None
    device: str = ""
    size: tuple[int, int] = (2304, 1296)
    flicker_hz: int = 0
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class Play:
    """How a play goes. A `turn_limit_s` of 0 is none."""

    auto_confirm: bool = False
    turn_limit_s: int = 0


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen. `size` is width and height in pixels.

    With `hints` it marks what may be done, and with `pays` it says what that would pay. It goes dark after
    `blank_after_min` minutes without a touch, never for 0; a `brightness` of 0 leaves it as it is, else it is in per
    cent.
    """

    language: str = AUTO
    hints: bool = True
    pays: bool = True
    blank_after_min: int = 15
    brightness: int = 0
    size: tuple[int, int] = (800, 480)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. `files` are those they came from, lowest first; `notices` are sentences about these."""

    data: Data
    wiring: Wiring = DEFAULT
    camera: Camera = Camera()
    play: Play = Play()
    screen: Screen = Screen()
    files: tuple[Path, ...] = ()
    notices: tuple[str, ...] = ()


def load(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    system_file: Path = SYSTEM_FILE,
    *,
    without: Path | None = None,
) -> Config:
    """The settings of all layers together, but for the file `without`; `file` is the one of `--config`.

    Raises: ConfigError.
    """
    home = home_folder(environment)
    found = [path for path in (system_file, _user_file(environment, home)) if path and _is_there(path)]
    found += [file] if file is not None else []
    layers = [_Layer(path, home) for path in found if path != without]
    problems = [problem for layer in layers for problem in layer.problems]
    merged = _merged([tomllib.loads(DEFAULT_TEXT), *(layer.tables for layer in layers)])
    wiring = _wiring(merged["wiring"], layers, problems)
    camera = Camera(**merged.get("camera", {}))
    if camera.kind == "folder" and camera.folder is None:
        key = "camera.folder"
        problems.append(_problem(_origin(layers, "camera", "kind"), key, "must name a folder when kind is 'folder'"))
    folder = merged.get("data", {}).get("folder") or _data_folder(environment, home)
    if folder is None:
        problems.append(("data.folder", "data.folder must be set, because you have no home folder."))
    if problems or folder is None or wiring is None:
        raise ConfigError(problems)
    return Config(
        data=Data(folder, merged.get("data", {}).get("photographs", True)),
        wiring=wiring,
        camera=camera,
        play=Play(**merged.get("play", {})),
        screen=Screen(**merged.get("screen", {})),
        files=tuple(layer.path for layer in layers),
        notices=tuple(f"{printable(str(layer.path))} is empty, so it sets nothing." for layer in layers if layer.empty),
    )


def check(path: Path, text: str, environment: Mapping[str, str] = os.environ) -> None:
    """See whether a file with this text would do as a layer. Raises: ConfigError."""
    layer = _Layer(path, home_folder(environment), text)
    if layer.problems:
        raise ConfigError(layer.problems)


def default(environment: Mapping[str, str] = os.environ) -> Config:
    """The settings without any file; where there is no home folder, plays would be kept below the temporary one."""
    folder = _data_folder(environment, home_folder(environment)) or Path("/tmp") / NAME  # noqa: S108
    return Config(Data(folder))


def own_file(file: Path | None = None, environment: Mapping[str, str] = os.environ) -> Path | None:
    """The owner's own file, the uppermost layer: the one of `--config`, else the user's; it need not be there yet."""
    return file if file is not None else _user_file(environment, home_folder(environment))


def home_folder(environment: Mapping[str, str]) -> Path | None:
    """The user's home folder, where there is one."""
    if environment.get("HOME"):
        return Path(environment["HOME"])
    try:
        return Path.home()
    except RuntimeError:
        return None


def _data_folder(environment: Mapping[str, str], home: Path | None) -> Path | None:
    return _xdg(environment, "XDG_DATA_HOME", home and home / ".local/share")


def _user_file(environment: Mapping[str, str], home: Path | None) -> Path | None:
    folder = _xdg(environment, "XDG_CONFIG_HOME", home and home / ".config")
    return folder and folder / "companion.toml"


def _xdg(environment: Mapping[str, str], variable: str, otherwise: Path | None) -> Path | None:
    named = environment.get(variable, "")
    # The XDG base directory specification has relative paths ignored.
    folder = Path(named) if named.startswith("/") else otherwise
    return folder and folder / NAME


def _is_there(path: Path) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        # It is there, and reading it will say what keeps it from being read.
        return True
    return True


class _Layer:
    """One file: the values in it that hold, and what is wrong with the others. `text` stands for what it says."""

    def __init__(self, path: Path, home: Path | None, text: str | None = None) -> None:
        self.path = path
        self.empty = False
        self.problems: list[tuple[str, str]] = []
        self.tables: Tables = {}
        self._home = home
        try:
            text = read_text(path, MOST_BYTES) if text is None else text
        except FileError as error:
            self._note("", f"cannot be read: {error.reason}")
            return
        # A power cut may leave a file of zero bytes in place of what was being written.
        self.empty = not text.strip(" \t\r\n\0")
        if not self.empty:
            for table, values in self._parse(text).items():
                self._check_table(table, values)

    def _parse(self, text: str) -> dict[str, object]:
        for number, line in enumerate(text.split("\n"), start=1):
            if len(line) > LONGEST_LINE:
                self._note("", f"has more than {LONGEST_LINE} characters in line {number}: write one value a line")
                return {}
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self._note("", f"is not TOML: {brief(str(error), 120)}")
        except RecursionError:
            self._note("", "has values that are nested too deeply")
        return {}

    def _check_table(self, table: str, values: object) -> None:
        known = (*RULES, "wiring")
        if table not in known:
            self._note(brief(table), _unknown(table, known))
        elif not isinstance(values, dict):
            self._note(table, f"must be a table, [{table}] (found {quoted(values)})")
        elif table == "wiring":
            self.tables[table] = values
        else:
            self.tables[table] = {}
            for key, value in values.items():
                self._check_value(table, key, value, RULES[table].get(key))

    def _check_value(self, table: str, key: str, value: object, rule: Rule | None) -> None:
        name = f"{table}.{brief(key)}"
        if rule is None:
            self._note(name, _unknown(key, tuple(RULES[table])))
            return
        try:
            checked = rule(value)
        except ValueError as error:
            self._note(name, f"{error} (found {quoted(value)})")
            return
        self.tables[table][key] = self._whole_path(checked) if isinstance(checked, Path) else checked

    def _whole_path(self, written: Path) -> Path:
        """A path as a person writes it: `~` is the home folder, anything else starts at the file's own folder."""
        if written.parts[:1] == ("~",) and self._home is not None:
            return self._home.joinpath(*written.parts[1:])
        return self.path.absolute().parent / written

    def _note(self, key: str, clause: str) -> None:
        self.problems.append(_problem(self.path, key, clause))


def _problem(path: Path | None, key: str, clause: str) -> tuple[str, str]:
    # Without a key the file itself is what the clause is about.
    start = ": ".join(filter(None, (printable(str(path)) if path else "", key)))
    return key, f"{start} {clause}" + ("" if clause.endswith("?") else ".")


def _unknown(word: str, known: Sequence[str]) -> str:
    close = get_close_matches(word, known, n=1)
    return f"is not known: did you mean {close[0]}?" if close else f"is not known; allowed are {', '.join(known)}"


def _merged(layers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Tables laid over each other; any other value is replaced by the one above."""
    merged: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.items():
            below = merged.get(key)
            merged[key] = _merged([below, value]) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _wiring(table: dict[str, Any], layers: Sequence[_Layer], problems: list[tuple[str, str]]) -> Wiring | None:
    try:
        return Wiring.from_table(_connected(table))
    except DataError as error:
        for key, sentence in error.problems:
            path = _origin(layers, "wiring", key.removeprefix("wiring.").partition(".")[0])
            problems.append((key, f"{printable(str(path))}: {sentence}" if path else sentence))
        return None


def _connected(table: dict[str, Any]) -> dict[str, Any]:
    """The table without what is not connected."""
    return {
        key: _connected(value) if isinstance(value, dict) else value
        for key, value in table.items()
        if value != NOT_CONNECTED
    }


def _origin(layers: Sequence[_Layer], table: str, key: str) -> Path | None:
    """The highest file that sets the key; else the highest with such a table, or none."""
    having = [layer for layer in reversed(layers) if table in layer.tables]
    setting = [layer for layer in having if key in layer.tables[table]]
    return next((layer.path for layer in [*setting, *having]), None)
