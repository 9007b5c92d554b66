"""Settings that are changed: what stands in the owner's file afterwards, and what holds."""

from __future__ import annotations

import errno
import os
import tomllib
from pathlib import Path

import pytest

from companion.errors import CompanionError
from ui import config
from ui.config import Config, Data, Play
from ui.settings import Settings, SettingsError, changed

WRITTEN = """\
# Mine.
[play]
auto_confirm = true   # we are quick

[wiring]
buzzer = "none"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "config" / "companion.toml"


def settings(own: Path) -> Settings:
    environment = {"HOME": str(own.parent.parent)}
    nowhere = own.parent / "system.toml"
    there = own if own.exists() else None
    return Settings(
        config.load(there, environment, nowhere), config.load(there, environment, nowhere, without=own), own
    )


def loaded(own: Path) -> Config:
    return config.load(own, {"HOME": str(own.parent.parent)}, own.parent / "system.toml")


def test_what_is_changed_holds_at_once_and_at_the_next_start(own: Path) -> None:
    here = settings(own)
    heard: list[Config] = []
    here.heed = heard.append
    here.change("play", "turn_limit_s", 60)
    here.change("screen", "language", "de")
    assert (here.config.play.turn_limit_s, here.get("screen", "language")) == (60, "de")
    assert [each.play.turn_limit_s for each in heard] == [60, 60]
    assert (loaded(own).play.turn_limit_s, loaded(own).screen.language) == (60, "de")


def test_everything_else_in_the_file_stays_as_it_is(own: Path) -> None:
    own.parent.mkdir()
    own.write_text(WRITTEN)
    settings(own).change("screen", "hints", False)
    assert own.read_text().startswith(WRITTEN)
    assert loaded(own).screen.hints is False
    assert loaded(own).play.auto_confirm is True


def test_only_what_differs_is_kept(own: Path) -> None:
    here = settings(own)
    here.change("screen", "blank_after_min", 5)
    here.change("screen", "blank_after_min", 15)
    assert "blank_after_min" not in own.read_text()


def test_a_value_below_is_overruled_by_writing_the_default(own: Path) -> None:
    below = Config(Data(own.parent), play=Play(auto_confirm=True))
    Settings(below, below, own).change("play", "auto_confirm", False)
    assert loaded(own).play.auto_confirm is False


def test_a_value_that_may_not_be_is_not_written(own: Path) -> None:
    with pytest.raises(ValueError, match="whole number"):
        settings(own).change("play", "turn_limit_s", -1)
    assert not own.exists()


def test_a_file_that_is_not_toml_is_left_alone(own: Path) -> None:
    here = settings(own)
    own.parent.mkdir()
    own.write_text("[play\n")
    with pytest.raises(SettingsError, match="put it right"):
        here.change("play", "auto_confirm", True)
    assert own.read_text() == "[play\n"
    assert here.config.play.auto_confirm is False


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_what_cannot_be_written_loses_nothing(own: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    own.parent.mkdir()
    own.write_text(WRITTEN)
    here = settings(own)

    def fails(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(CompanionError, match=r"\.$"):
        here.change("play", "turn_limit_s", 30)
    assert own.read_text() == WRITTEN
    assert here.config.play.turn_limit_s == 0
    assert [path.name for path in own.parent.iterdir()] == [own.name]


def test_without_a_file_changes_hold_until_the_end(tmp_path: Path) -> None:
    here = Settings(Config(Data(tmp_path)))
    here.change("play", "auto_confirm", True)
    assert here.config.play.auto_confirm is True


def test_a_table_that_is_missing_is_begun() -> None:
    assert changed("", "play", "turn_limit_s", 30) == "[play]\nturn_limit_s = 30\n"
    assert changed("", "play", "turn_limit_s", None) == ""


def test_the_owners_file_is_the_uppermost_layer(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path)}
    assert config.own_file(Path("x.toml"), environment) == Path("x.toml")
    assert config.own_file(None, environment) == tmp_path / ".config/table-companion/companion.toml"


def test_a_file_with_a_setting_that_cannot_be_used_is_left_alone(own: Path) -> None:
    here = settings(own)
    own.parent.mkdir()
    for text, wrong in (("play = 3\n", "must be a table"), ("[play]\nauto_confirn = true\n", "did you mean")):
        own.write_text(text)
        with pytest.raises(SettingsError, match=wrong):
            here.change("play", "turn_limit_s", 30)
        assert own.read_text() == text


def test_a_file_that_a_power_cut_emptied_is_begun_anew(own: Path) -> None:
    here = settings(own)
    own.parent.mkdir()
    own.write_bytes(bytes(64))
    here.change("play", "turn_limit_s", 30)
    assert own.read_text() == "[play]\nturn_limit_s = 30\n"


def test_a_link_stays_one(own: Path, tmp_path: Path) -> None:
    real = tmp_path / "real.toml"
    real.write_text(WRITTEN)
    own.parent.mkdir()
    own.symlink_to(real)
    settings(own).change("screen", "hints", False)
    assert own.is_symlink()
    assert "hints = false" in real.read_text()


def test_where_the_layers_below_cannot_stand_alone_all_is_kept(own: Path) -> None:
    Settings(Config(Data(own.parent)), None, own).change("play", "auto_confirm", False)
    assert own.read_text() == "[play]\nauto_confirm = false\n"


@pytest.mark.parametrize("text", ["play.auto_confirm = true\n", "play = {auto_confirm = true}\n"])
def test_other_ways_to_write_a_table_are_understood(text: str) -> None:
    tables = tomllib.loads(changed(text, "play", "turn_limit_s", 30))
    assert tables == {"play": {"auto_confirm": True, "turn_limit_s": 30}}
