"""`companion teach`: a photograph of an owner's pieces becomes their box profile."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from companion.files import write_text
from companion.games.casa_grande import box
from companion.games.casa_grande.pieces import Piece, write_piece
from companion.games.casa_grande.teaching import kinds, named_as, taught
from ui.status import Status, tell
from vision import frame
from vision.recognisers import platforms
from vision.recognisers.platforms import SeenPiece

GAMES = ("casa-grande",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `companion teach` takes."""
    parser.add_argument("game", choices=GAMES, metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    described = "pieces on white paper, apart from each other, with the scale marker of `companion print casa-grande`"
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO", help=described)
    parser.add_argument("--out", type=Path, metavar="FILE", help="the box profile to write (TOML)")
    parser.add_argument("--box", type=Path, metavar="FILE", help="a box profile with the sizes of your copy")
    parser.add_argument("--name", default="my copy", metavar="TEXT", help="what the profile is called")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    tell(
        parser,
        {
            Status.DONE: "every piece was told",
            Status.BAD_INPUT: "a photograph, the profile or the usage is wrong",
            Status.PLEASE_CHECK: "some pieces cannot be told: they are listed, and left out of the profile",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Read the photographs, and write the profile. Raises: BoxError, FrameError, StoreError."""
    profile = box.load(arguments.box)
    certain: list[SeenPiece] = []
    doubtful: list[tuple[Path, SeenPiece]] = []
    reasons = []
    for photo in arguments.photos:
        seen = platforms.read(frame.load(photo).image, profile.sizes.pitch_mm)
        certain += [piece for piece in seen.pieces if not piece.doubtful]
        doubtful += [(photo, piece) for piece in seen.pieces if piece.doubtful]
        if seen.reason is not None:
            reasons.append(f"{photo}: {seen.reason}")
    pieces = named_as(kinds((piece.squares, piece.marked) for piece in certain), profile.pieces)
    if arguments.json:
        print(json.dumps(_as_json(pieces, doubtful, reasons)))
    else:
        _tell(pieces, doubtful)
    for reason in reasons:
        print(reason, file=sys.stderr)
    if arguments.out is not None and pieces:
        write_text(arguments.out, box.write(taught(profile, arguments.name, pieces)))
        print(f"The profile is in {arguments.out}.", file=sys.stderr)
    return Status.PLEASE_CHECK if doubtful or reasons or not pieces else Status.DONE


def _tell(pieces: tuple[Piece, ...], doubtful: list[tuple[Path, SeenPiece]]) -> None:
    for piece in pieces:
        print(write_piece(piece))
    for photo, seen in doubtful:
        x, y, width, height = seen.outline
        print(f"{photo}: look at the piece at {x},{y} ({width} by {height}): lay it apart, in even light.")


def _as_json(
    pieces: tuple[Piece, ...], doubtful: list[tuple[Path, SeenPiece]], reasons: list[str]
) -> dict[str, object]:
    return {
        "pieces": [
            {
                "name": piece.name,
                "squares": piece.squares,
                "marked": piece.marked,
                "count": piece.count,
                "flippable": piece.flippable,
            }
            for piece in pieces
        ],
        "doubtful": [
            {
                "photo": str(photo),
                "squares": piece.squares,
                "marked": piece.marked,
                "doubtful": piece.doubtful,
                "outline": piece.outline,
            }
            for photo, piece in doubtful
        ],
        "reasons": reasons,
    }
