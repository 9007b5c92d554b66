"""`companion print`: sheets to print and cut out: markers, mats, our own sample pieces."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.files import told, write_text
from companion.games.casa_grande import box as casa_box
from companion.games.cassa_grande import box as cassa_box
from ui.status import Status, tell
from vision import drawncards, markers, paper
from vision.drawnplatforms import COLOURS, platform
from vision.paper import DPI, PAPERS, Art, Pixels, px

CARD_MM = 55.0
"""The side of our cards of Cassa Grande."""

QUIET = 1 / 6
"""The white round a marker, as a share of its side."""


def _marker(number: int, side_mm: float) -> Pixels:
    """A marker with the white rim that it needs, and a thin line to cut along."""
    quiet = px(QUIET * side_mm)
    black = cv2.cvtColor(markers.drawn(number, px(side_mm)), cv2.COLOR_GRAY2BGR)
    whole = cv2.copyMakeBorder(black, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    cv2.rectangle(whole, (0, 0), (whole.shape[1] - 1, whole.shape[0] - 1), (170, 170, 170), 1)
    return np.asarray(whole, np.uint8)


def _casa_grande(profile: Path | None) -> Iterator[Art]:
    """The scale marker, a marker for each of the board's corners, and each colour's platforms."""
    box = casa_box.load(profile)
    yield Art("scale", _marker(markers.SCALE, markers.SCALE_MM))
    for number in markers.CORNERS:
        yield Art(f"corner_{number}", _marker(number, markers.CORNER_MM))
    pitch = px(box.sizes.pitch_mm)
    for colour in COLOURS:
        for piece in box.pieces:
            for copy in range(1, piece.count + 1):
                name = f"{colour}_{piece.name}_{copy}"
                yield Art(name, platform(piece.squares, piece.marked, colour, pitch))


def _cassa_grande(profile: Path | None) -> Iterator[Art]:
    """The cards of the largest deck, each as often as it is there."""
    decks = cassa_box.load(profile).decks
    deck = decks[max(decks)]
    for number, face in enumerate(deck, start=1):
        name = {",": "comma"}.get(face, face)
        yield Art(f"card_{number:02}_{name}", _card(face))


def _card(face: str) -> Pixels:
    side = px(CARD_MM)
    drawn = drawncards.card(face)
    picture = cv2.resize(drawn[..., :3], (side, side), interpolation=cv2.INTER_CUBIC)
    cv2.rectangle(picture, (0, 0), (side - 1, side - 1), (120, 120, 120), 2)
    return np.asarray(picture, np.uint8)


SHEETS: Mapping[str, Callable[[Path | None], Iterator[Art]]] = {
    "cassa-grande": _cassa_grande,
    "casa-grande": _casa_grande,
}
"""By the game's name: from a box profile, or None for our sample, to what is printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `companion print` takes."""
    parser.add_argument("game", choices=SHEETS, metavar="GAME", help=f"one of: {', '.join(SHEETS)}")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the PDF to write (GAME.pdf)")
    parser.add_argument("--box", type=Path, metavar="FILE", help="a box profile whose pieces to print")
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="the paper's size (a4)")
    described = "write each piece as a PNG and index.json instead, for other programs"
    parser.add_argument("--png", type=Path, metavar="DIR", help=described)
    tell(
        parser,
        {
            Status.DONE: "the sheets are written; print them at 100 %, the line at the foot is 100 mm long",
            Status.BAD_INPUT: "the box profile, the file to write or the usage is wrong",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Write the sheets. Raises: BoxError, CompanionError."""
    arts = list(SHEETS[arguments.game](arguments.box))
    if arguments.png is not None:
        _write_pngs(arguments.game, arts, arguments.png)
        print(f"{len(arts)} pictures and index.json in {arguments.png}")
        return Status.DONE
    path = arguments.out or Path(f"{arguments.game}.pdf")
    try:
        sheets = paper.pages(arts, arguments.paper, arguments.game)
    except ValueError as error:
        raise CompanionError(f"{str(error).capitalize()}: choose other paper, or smaller sizes in the box.") from error
    with told(path):
        paper.write_pdf(sheets, path)
    print(f"{len(sheets)} pages in {path}: print them at 100 %")
    return Status.DONE


def _write_pngs(game: str, arts: list[Art], folder: Path) -> None:
    with told(folder):
        folder.mkdir(parents=True, exist_ok=True)
    pieces: list[dict[str, object]] = []
    for art in arts:
        path = folder / f"{art.name}.png"
        with told(path):
            paper.write_png(art, path)
        width, height = art.size_mm
        pieces.append({"name": art.name, "file": path.name, "width_mm": round(width, 2), "height_mm": round(height, 2)})
    write_text(folder / "index.json", json.dumps({"game": game, "dpi": DPI, "pieces": pieces}, indent=1) + "\n")
