"""A whole drawn round through `companion watch`."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import pytest

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Move, Placed, TurnedOver
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import State, box, cells
from companion.journal import Entry, Journal, Played, Undone
from companion.journal_text import write
from companion.sight import GAP, UNKNOWN, Spot
from ui.main import main
from vision.drawn import Arm, Scene, draw

TABLE = Scene(seed=31, tilt_deg=28)


def round_of(setup: Setup, seed: int) -> list[Move]:
    """The moves of one round by chance; cards face down where they may be."""
    chance, state, moves = random.Random(seed), rules.new(setup), list[Move]()
    while not state.rounds:
        found = list(islice(rules.legal_moves(state), 300))
        unknown = [move for move in found if isinstance(move, Placed) and move.face == UNKNOWN]
        moves.append(chance.choice(unknown or found))
        state, _ = rules.apply(state, moves[-1])
    return moves


def shown(state: State) -> dict[Spot, str]:
    return {card.cell: card.face for card in state.layout}


def pictures(folder: Path, setup: Setup, moves: Sequence[Move], scene: Scene = TABLE) -> None:
    """One photograph after each move, from a camera that is knocked a little now and then."""
    folder.mkdir()
    state = rules.new(setup)
    for number, move in enumerate(moves, start=1):
        if isinstance(move, TurnedOver):
            top, left, _, _ = box(cells(state))
            rows = enumerate(move.rows)
            laid = {(r + top, c + left): face for r, row in rows for c, face in enumerate(row) if face != GAP}
        else:
            laid = shown(rules.apply(state, move)[0])
        state, _ = rules.apply(state, move)
        picture = draw(replace(scene, laid=laid, shot=number, knocked_mm=5.0 * (number // 7 % 2)))
        cv2.imwrite(str(folder / f"shot{number}.jpg"), picture)


def journal(path: Path, setup: Setup, entries: Sequence[Entry[Move]]) -> Path:
    path.write_text(write(rules, Journal("cassa-grande", setup, {}, tuple(entries))), encoding="utf-8")
    return path


def watch(photos: Path, play: Path, *more: str) -> int:
    return main(["watch", "cassa-grande", "--photos", str(photos), "--play", str(play), "--json", *more])


@pytest.mark.parametrize(("confirm", "photographs"), [("truth", 33), ("proposed", 8)])
def test_a_round(tmp_path: Path, capsys: pytest.CaptureFixture[str], confirm: str, photographs: int) -> None:
    setup = Setup()
    moves = round_of(setup, seed=5)
    assert len(moves) == 33
    pictures(tmp_path / "shots", setup, moves[:photographs])
    play = journal(tmp_path / "play.txt", setup, [Played(move) for move in moves])
    status = watch(tmp_path / "shots", play, "--confirm", confirm)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(line["photo"]).name for line in lines] == [f"shot{n + 1}.jpg" for n in range(photographs)]
    clear = [line for line in lines if line["outcome"] == "clear"]
    assert all(
        line["moves"] == [[rules.write(move)]] for line, move in zip(lines, moves, strict=False) if line in clear
    )
    assert len(clear) >= 0.95 * photographs
    assert status == (0 if len(clear) == photographs else 3)
    assert set(lines[0]) >= {"photo", "outcome", "moves", "confidence", "spots", "reason", "seconds"}


def test_undo_and_a_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setup = Setup(players=2)
    texts = ["A 0,0 ?", "C 0,1 ?", "A 1,0 ?"]
    moves = [rules.read(text) for text in texts]
    shots = tmp_path / "shots"
    pictures(shots, setup, moves)
    two, three = ({move.cell: UNKNOWN for move in moves[:n] if isinstance(move, Placed)} for n in (2, 3))
    cv2.imwrite(str(shots / "shot4.jpg"), draw(replace(TABLE, laid=two)))
    cv2.imwrite(str(shots / "shot5.jpg"), draw(replace(TABLE, laid=three, arm=Arm((0, 0)))))
    entries: list[Entry[Move]] = [*(Played(move) for move in moves), Undone(), Played(moves[2])]
    assert watch(shots, journal(tmp_path / "play.txt", setup, entries)) == 3
    outcomes = [json.loads(line)["outcome"] for line in capsys.readouterr().out.splitlines()]
    assert outcomes[:4] == ["clear", "clear", "clear", "settled"]
    assert outcomes[4] != "clear"


def test_photographs_named_for_their_entries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setup = Setup(players=2)
    moves = [rules.read(text) for text in ("A 0,0 ?", "C 0,1 ?", "A 1,0 ?")]
    shots = tmp_path / "shots"
    pictures(shots, setup, moves)
    for number in (1, 2, 3):
        (shots / f"shot{number}.jpg").rename(shots / f"entry-{number}.jpg")
    (shots / "entry-2.jpg").unlink()
    play = journal(tmp_path / "play.txt", setup, [Played(move) for move in moves])
    assert watch(shots, play) == 3
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[1]["outcome"] == "ambiguous"
    assert ["C 0,1 ?", "A 1,0 ?"] in lines[1]["moves"]


@pytest.mark.parametrize(
    ("content", "photos", "says"),
    [
        ("game: cassa-grande\n\nA 0,0 ?\n", None, "is no folder: name the folder of the photographs."),
        ("game: cassa-grande\n\nA 0,0 ?\n", [], "holds no photograph: put JPEG, PNG or WebP files into it."),
        ("game: cassa-grande\n\nA 0,1 ?\n", ["1.jpg"], "its line 3 is refused. First card: it lies on cell 0,0"),
        ("game: cassa-grande\n\nA 0,0 ?\n", ["1.jpg", "2.jpg", "3.jpg"], "holds 3 photographs, and 1 entries"),
        ("game: cassa-grande\n\nA 0,0 ?\n", ["entry-1.jpg", "x.jpg"], "not all named for an entry of their own"),
        ("game: cassa-grande\n\nA 0,0 ?\n", ["1.jpg"], "the file is empty"),
    ],
)
def test_what_cannot_be_watched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, photos: list[str] | None, says: str
) -> None:
    play, shots = tmp_path / "play.txt", tmp_path / "shots"
    play.write_text(content, encoding="utf-8")
    if photos is not None:
        shots.mkdir()
        for name in photos:
            (shots / name).touch()
    assert watch(shots, play) == 2
    assert says in capsys.readouterr().err
