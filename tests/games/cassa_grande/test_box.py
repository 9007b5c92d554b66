from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.box import MOST_BYTES, read
from companion.errors import BoxError
from companion.games.cassa_grande import box
from companion.games.cassa_grande.pieces import standard_deck

SAMPLE = Path(box.__file__).with_name("sample.toml").read_text(encoding="utf-8")


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_sample_is_the_standard_copy() -> None:
    standard = box.load()
    assert standard.name == "Standard copy"
    assert standard.decks == {2: standard_deck(2), 4: standard_deck(4)}


def test_an_owners_copy(tmp_path: Path) -> None:
    mine = box.load(write(tmp_path, SAMPLE.replace('"0" = 8', '"0" = 7').replace("Standard copy", "Zoë's")))
    assert mine.name == "Zoë's"
    assert mine.decks[4] == standard_deck(4)[1:]


def test_all_errors_are_named_at_once(tmp_path: Path) -> None:
    text = """
        game = "casa-grande"
        colour = "red"
        [deck.4]
        "0" = -1
        "1" = 4.5
        "2" = true
        "3" = "4"
        "4" = 37
        "5" = 1
        [deck.3]
        "0" = 1
    """
    path = write(tmp_path, text)
    with pytest.raises(BoxError) as caught:
        box.load(path)
    keys = [key for key, _ in caught.value.problems]
    assert sorted(keys) == sorted(
        [
            "colour", "game", "name", "deck.3", "deck.2", "deck.4",
            'deck.4.0', 'deck.4.1', 'deck.4.2', 'deck.4.3', 'deck.4.4', 'deck.4.5', 'deck.4.","',
        ]
    )  # fmt: skip
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "game must be 'cassa-grande' (found 'casa-grande')." in message
    assert "deck.4.0 must be a whole number from 0 to 36 (found -1)." in message
    assert 'deck.4."," must be a whole number from 0 to 36 (it is missing).' in message
    assert "deck.4.5 is not known here; allowed are 0 1 2 3 4 ,." in message


def test_a_deck_must_fit_the_frame(tmp_path: Path) -> None:
    with pytest.raises(BoxError) as caught:
        box.load(write(tmp_path, SAMPLE.replace('"0" = 6', '"0" = 8')))
    (problem,) = caught.value.problems
    assert problem == ("deck.2", "deck.2 must hold 1 to 25 cards in all, the cells of the frame (found 26).")


@pytest.mark.parametrize(("text", "sentence"), [("game = ", "This is not TOML"), ("deck = 3", "deck must be a table")])
def test_what_is_no_profile_is_refused_in_a_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BoxError, match=sentence):
        box.load(write(tmp_path, text))


def test_a_profile_that_cannot_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path, tmp_path / "missing.toml", binary):
        with pytest.raises(BoxError, match=r"This box profile cannot be read: .*\.$"):
            box.load(path)


def test_only_a_file_of_a_sensible_size_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for path in (pipe, Path(os.devnull)):
        with pytest.raises(BoxError, match=r"This box profile cannot be read: it is not an ordinary file\.$"):
            box.load(path)
    short = SAMPLE + "\n" * (MOST_BYTES - len(SAMPLE.encode()))
    assert box.load(write(tmp_path, short)) == box.load()
    with pytest.raises(BoxError, match=r"it is larger than 65536 bytes\.$"):
        box.load(write(tmp_path, short + "\n"))


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    assert box.load(write(tmp_path, "\ufeff" + SAMPLE)) == box.load()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = " + "[\n" * 20_000, "The values are nested too deeply"),
        ("a = " + "[" * 20_000, "Line 1 is longer than 500 characters"),
        ("\n" + ".".join("a" * 20_000) + " = 1", "Line 2 is longer than 500 characters"),
        (f"[{'.'.join('a' * 20_000)}]", "Line 1 is longer than 500 characters"),
        ('[deck.4]\n"0" = ' + "9" * 5000, "Line 2 is longer than 500 characters"),
        ('[deck.4]\n"0" = 0x' + "f" * 450, "deck.4.0 must be a whole number from 0 to 36 (found a number far"),
        ("name = " + "9" * 450, "name must be a text (found a number far too large)"),
        (f'game = "{"x" * 450}"', f"game must be 'cassa-grande' (found '{'x' * 39}…')"),
        ('game = "\\u001b\\n"', "game must be 'cassa-grande' (found '\\x1b\\n')"),
        ("deck = [[1]]\nname = [1]", "name must be a text (found a list)"),
        ("name = {a = 1}", "name must be a text (found a table)"),
        ('"\\n\\u001b" = 1', '" \\x1b" is not known here'),
        (f"{'x' * 450} = 1", f"{'x' * 39}… is not known here"),
        ("x = {" + f"{'y' * 200} = 1, {'y' * 200} = 2" + "}", "This is not TOML"),
    ],
)
def test_values_beyond_reason_are_refused_briefly(text: str, sentence: str) -> None:
    with pytest.raises(BoxError) as caught:
        read(text, box.check)
    (said,) = [said for _, said in caught.value.problems if sentence in said]
    assert len(said) < 200
    assert said.isprintable()
