"""Settings in layers: what holds, and that everything that is wrong is told at once."""

from __future__ import annotations

import os
import re
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError
from hardware.wiring import DEFAULT
from ui.config import Camera, Config, ConfigError, Data, Play, Screen, default, load
from ui.config_rules import RULES
from ui.errors import sentence

SHIPPED = Path(__file__).parents[2] / "deploy" / "companion.toml"
SECTIONS = {"data": Data, "camera": Camera, "play": Play, "screen": Screen}


class Home:
    """A home folder and a system, with the files of settings in them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {"HOME": str(folder)}
        self.system = folder / "etc/companion.toml"
        self.user = folder / ".config/table-companion/companion.toml"
        self.own = folder / "own/mine.toml"
        for path in (self.system, self.user, self.own):
            path.parent.mkdir(parents=True)

    def load(self, file: Path | None = None) -> Config:
        return load(file, self.environment, self.system)

    def read(self, text: str) -> Config:
        self.own.write_text(text, encoding="utf-8")
        return self.load(self.own)

    def problems(self, text: str) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            self.read(text)
        start = f"{self.own}: "
        sentences = [sentence for _, sentence in caught.value.problems]
        assert all(found.startswith((start, f"{self.own} ")) for found in sentences)
        return [found.removeprefix(start) for found in sentences]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_without_a_file_the_defaults_hold(home: Home) -> None:
    config = home.load()
    assert config == Config(Data(home.folder / ".local/share/table-companion"))
    assert config == default(home.environment)
    assert config.data.plays == home.folder / ".local/share/table-companion/plays.sqlite"
    assert config.wiring == DEFAULT


def test_the_base_directories_of_xdg(home: Home) -> None:
    home.environment |= {"XDG_DATA_HOME": "/srv/data", "XDG_CONFIG_HOME": str(home.folder / "settings")}
    (home.folder / "settings/table-companion").mkdir(parents=True)
    user = home.folder / "settings/table-companion/companion.toml"
    user.write_text("[play]\nturn_limit_s = 90\n", encoding="utf-8")
    config = home.load()
    assert config.data.folder == Path("/srv/data/table-companion")
    assert (config.play.turn_limit_s, config.files) == (90, (user,))
    home.environment["XDG_DATA_HOME"] = "not/absolute"
    assert home.load().data.folder == home.folder / ".local/share/table-companion"


def test_each_layer_changes_only_what_it_holds(home: Home) -> None:
    home.system.write_text('[camera]\nkind = "webcam"\nrotation = 90\nflicker_hz = 50\n', encoding="utf-8")
    home.user.write_text("[camera]\nrotation = 180\nflicker_hz = 60\n[play]\nauto_confirm = true\n", encoding="utf-8")
    home.own.write_text("[camera]\nflicker_hz = 0\n", encoding="utf-8")
    config = home.load(home.own)
    assert config.camera == Camera(kind="webcam", rotation=180, flicker_hz=0)
    assert config.play == Play(auto_confirm=True)
    assert config.files == (home.system, home.user, home.own)


def test_pins_are_laid_over_each_other_too(home: Home) -> None:
    home.user.write_text("[wiring]\nbuzzer = 4\n[wiring.die]\ncentre = 18\n", encoding="utf-8")
    config = home.read("[wiring]\nhold_s = 1.5\n")
    assert (config.wiring.buzzer, config.wiring.hold_s) == (4, 1.5)
    assert config.wiring.die == {**DEFAULT.die, "centre": 18}
    assert config.wiring.confirm == DEFAULT.confirm


def test_what_is_not_connected_is_none(home: Home) -> None:
    wiring = home.read('[wiring]\nbuzzer = "none"\ndie = "none"\nseats.A = "none"\nconfirm = 5\n').wiring
    assert (wiring.buzzer, wiring.die, wiring.confirm) == (None, {}, 5)
    assert sorted(wiring.lights()) == [1, 2, 3]


def test_a_layer_connects_again_what_one_below_does_not(home: Home) -> None:
    home.user.write_text('[wiring]\ndie = "none"\n', encoding="utf-8")
    assert home.read("[wiring.die]\ncentre = 5\n").wiring.die == {"centre": 5}


def test_paths(home: Home) -> None:
    assert home.read('[data]\nfolder = "~/plays"').data.folder == home.folder / "plays"
    assert home.read('[data]\nfolder = "plays"').data.folder == home.own.parent / "plays"
    assert home.read('[data]\nfolder = "/srv/plays"').data.folder == Path("/srv/plays")
    assert home.read('[data]\nfolder = "."').data.folder == home.own.parent
    assert home.read('[data]\nfolder = ""').data.folder == home.folder / ".local/share/table-companion"
    camera = home.read('[camera]\nkind = "folder"\nfolder = "pictures"').camera
    assert camera.folder == home.own.parent / "pictures"


def test_everything_wrong_is_told_at_once(home: Home) -> None:
    text = """
        top = 1
        camra = {}
        play = 3
        [camera]
        kind = "polaroid"
        size = [2304]
        flicker_hz = 55
        rotation = false
        rotate = 90
        device = 0
        [screen]
        size = [100, 480]
        language = "xx"
        zzz = 1
        [wiring]
        confirm = 27
        undo = 99
        [data]
        folder = 7
    """
    assert home.problems(text) == [
        "top is not known; allowed are data, camera, play, screen, wiring.",
        "camra is not known: did you mean camera?",
        "play must be a table, [play] (found 3).",
        "camera.kind must be 'auto' or 'picamera2' or 'webcam' or 'folder' or 'none' (found 'polaroid').",
        "camera.size must be [width, height], each a whole number from 160 to 9152 (found a list).",
        "camera.flicker_hz must be 0 or 50 or 60 (found 55).",
        "camera.rotation must be 0 or 90 or 180 or 270 (found False).",
        "camera.rotate is not known: did you mean rotation?",
        "camera.device must be a text on one line (found 0).",
        "screen.size must be [width, height], each a whole number from 320 to 7680 (found a list).",
        "screen.language must be 'auto' or 'en' or 'de' or 'fr' (found 'xx').",
        "screen.zzz is not known; allowed are language, hints, pays, blank_after_min, brightness, size.",
        "data.folder must be a text on one line (found 7).",
        "wiring.undo must be a BCM pin number from 0 to 27 (found 99).",
    ]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("play.auto_confirm = 1", "play.auto_confirm must be true or false (found 1)."),
        ("camera.rotation = 90.0", "camera.rotation must be 0 or 90 or 180 or 270 (found 90.0)."),
        ("play.turn_limit_s = true", "play.turn_limit_s must be a whole number from 0 to 7200 (found True)."),
        ("play.turn_limit_s = -1", "play.turn_limit_s must be a whole number from 0 to 7200 (found -1)."),
        ("play.turn_limit_s = 1.5", "play.turn_limit_s must be a whole number from 0 to 7200 (found 1.5)."),
        ("camera.size = [true, 480]", "camera.size must be [width, height], each a whole number from 160 to 9152"),
        ('camera.kind = "folder"', "camera.folder must name a folder when kind is 'folder'."),
        ("wiring = 4", "wiring must be a table, [wiring] (found 4)."),
        ("wiring.confirm = 8", "wiring.confirm is a pin of the bus spi"),
        ("wiring.confrim = 4", "wiring.confrim is not known here: did you mean confirm?"),
    ],
)
def test_one_wrong_line(home: Home, line: str, rule: str) -> None:
    [found] = home.problems(line)
    assert found.startswith(rule)


def test_each_problem_names_its_own_file(home: Home) -> None:
    home.system.write_text("[play]\nturn_limit_s = -1\n", encoding="utf-8")
    home.user.write_text("[wiring]\nundo = 17\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        home.read('[camera]\nkind = "no"\n')
    files = [sentence.partition(": ")[0] for _, sentence in caught.value.problems]
    assert files == [str(home.system), str(home.own), str(home.user)]
    assert [key for key, _ in caught.value.problems] == ["play.turn_limit_s", "camera.kind", "wiring.undo"]


def test_no_home_folder(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr("ui.config.Path.home", homeless)
    with pytest.raises(ConfigError, match=r"data\.folder must be set"):
        load(None, {}, home.system)
    home.own.write_text('[data]\nfolder = "/srv/plays"', encoding="utf-8")
    assert load(home.own, {}, home.system).data.folder == Path("/srv/plays")


@pytest.mark.parametrize("content", [b"", b"\n \t\r\n", b"\0" * 4096, b"\xef\xbb\xbf"])
def test_an_empty_file_sets_nothing_and_is_told(home: Home, content: bytes) -> None:
    home.user.write_bytes(content)
    config = home.load()
    assert config.camera == Camera()
    assert config.notices == (f"{home.user} is empty, so it sets nothing.",)


def test_a_file_of_comments_is_not_empty(home: Home) -> None:
    assert home.read("# as it was\n").notices == ()


@pytest.mark.parametrize(
    ("content", "clause"),
    [
        (b"\xff\xfe[\0", "cannot be read: it is not UTF-8 text"),
        (b"[camera\nkind", "is not TOML: "),
        (b"x = " + b"1" * 600, "has more than 500 characters in line 1"),
        (b"#" * 99 * 1000, "cannot be read: it is larger than 65536 bytes"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(home: Home, content: bytes, clause: str) -> None:
    home.user.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        home.load()
    [(_, found)] = caught.value.problems
    assert found.startswith(f"{home.user} {clause}")
    assert found.endswith(".")
    assert "\n" not in found


def test_values_within_values_within_values(home: Home) -> None:
    home.user.write_text(("x = " + "[" * 490 + "\n") * 9, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"is not TOML|nested too deeply"):
        home.load()


def test_a_folder_in_place_of_a_file(home: Home) -> None:
    home.user.mkdir()
    with pytest.raises(ConfigError, match="it is not an ordinary file"):
        home.load()


def test_a_file_that_may_not_be_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.user.write_text("[play]\n", encoding="utf-8")
    opened = Path.open

    def refuse(path: Path, *arguments: str) -> object:
        if path == home.user:
            raise PermissionError(13, os.strerror(13), str(path))
        return opened(path, *arguments)

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ConfigError) as caught:
        home.load()
    assert sentence(caught.value) == f"{home.user} cannot be read: {os.strerror(13)}."


def test_only_the_named_file_must_be_there(home: Home) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        home.load(home.folder / "none.toml")


def test_it_belongs_to_the_one_family_of_errors() -> None:
    assert issubclass(ConfigError, CompanionError)


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from(["camera", "play", "data", "screen", "wiring", "x"]), st.data()))
def test_any_values_give_settings_or_sentences(
    tmp_path_factory: pytest.TempPathFactory, tables: dict[str, object]
) -> None:
    home = Home(tmp_path_factory.mktemp("home"))
    scalars = st.one_of(st.booleans(), st.integers(-99, 9999), st.text('ab "\\\u2603', max_size=5))
    lines = []
    for table, data in tables.items():
        keys = [*RULES.get(table, {"confirm": 0, "die": 0, "seats": 0, "buses": 0}), "zz"]
        for key in keys:
            value = data.draw(st.one_of(st.none(), scalars, st.lists(scalars, max_size=3)))  # type: ignore[attr-defined]
            if value is not None:
                lines.append(f"{table}.{key} = {written(value)}")
    problems = [("", "None.")]
    try:
        home.read("\n".join(lines) or "#")
    except ConfigError as error:
        problems = list(error.problems)
    assert problems
    assert all(found.endswith((".", "?")) for _, found in problems)


def written(value: object) -> str:
    """A value as TOML."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case list():
            return f"[{', '.join(map(written, value))}]"
        case _:
            return str(value)


# The file that is shipped


def uncommented() -> str:
    """The shipped file with every key set: the # taken from each line that holds one."""
    return re.sub(r"^#(?=\w+ = )", "", SHIPPED.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_the_shipped_file_changes_nothing(home: Home) -> None:
    config = home.load(SHIPPED)
    assert config == Config(default(home.environment).data, files=(SHIPPED,))


def test_every_default_in_the_shipped_file_is_the_real_one(home: Home) -> None:
    config = home.read(uncommented())
    assert config == Config(default(home.environment).data, files=(home.own,))


def test_the_shipped_file_holds_every_key_with_a_line_of_explanation() -> None:
    lines = uncommented().splitlines()
    keys: dict[str, list[str]] = {}
    for above, line in pairwise(lines):
        table = re.fullmatch(r"\[(.+)\]", line)
        key = re.match(r"(\w+) = ", line)
        if table:
            keys[table[1]] = []
        elif key:
            assert above.startswith("# ") or table_of_pins(list(keys)[-1]), line
            keys[list(keys)[-1]].append(key[1])
    assert {table: keys[table] for table in RULES} == {table: list(rules) for table, rules in RULES.items()}
    assert list(keys["wiring.die"]) == list(DEFAULT.die)


def table_of_pins(table: str) -> bool:
    """Whether the names of the keys say all, and the explanation stands above the table."""
    return table in ("wiring.die", "wiring.seats")


def test_every_key_has_a_rule_and_every_rule_a_key() -> None:
    assert {table: [field.name for field in fields(kind)] for table, kind in SECTIONS.items()} == {
        table: list(rules) for table, rules in RULES.items()
    }
