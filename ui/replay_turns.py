"""`companion replay` of a play of Casa Grande in JSON form: one line a turn, as far as the rules go along."""

from __future__ import annotations

import json
import sys
from typing import Any

from companion.games import GAMES
from companion.games.casa_grande.checking import meant
from companion.games.casa_grande.moves import Built, Floored, Stepped
from companion.games.casa_grande.play_json import Replayed, read, replay
from companion.wording import event_sentence, refusal_sentence
from ui.score import sheet_text
from ui.status import Status

GAME = GAMES["casa-grande"]


def is_play(text: str) -> bool:
    """Whether a file is a play in JSON form rather than a journal."""
    return text.lstrip().startswith("{")


def run(text: str, source: str, *, as_json: bool) -> Status:
    """Replay the play and print it. Raises: CompanionError."""
    play = read(text, source)
    names = dict(enumerate(play.setup.colour_names))
    last: Replayed | None = None
    for last in replay(play):
        if as_json:
            print(json.dumps(_as_json(last, names)))
        elif last.refused is None:
            told = (event_sentence(GAME.sentences, event, names) for event in last.events)
            print(f"{last.number}. {' '.join(told)}")
    if last is not None and last.refused is not None:
        sentence = refusal_sentence(GAME.sentences, last.refused, names)
        print(f"Turn {last.number}, {names[last.turn.seat]}: {sentence}", file=sys.stderr)
        return Status.PLEASE_CHECK
    if not as_json and last is not None:
        for sheet in GAME.rules.score(last.state):
            print("\n".join(("", sheet.title, *sheet_text(sheet, GAME.sentences, names))))
    return Status.DONE


def _as_json(done: Replayed, names: dict[int, str]) -> dict[str, Any]:
    """A turn with what it came to, in the words of the file itself."""
    came_to = meant(done.events)
    bonus = {names[player.seat]: player.bonus for player in done.state.players}
    money = {names[player.seat]: player.lire for player in done.state.players}
    whole: dict[str, Any] = {
        "turn": done.number,
        "photo": done.turn.photo,
        "player": names[done.turn.seat],
        "die": done.turn.die,
        "move": _move(done),
        "pay": came_to.pay,
        "compensated": None,
        "bonus": bonus,
        "money": money,
        "after": {"bonus": bonus, "money": money},
        "events": [event_sentence(GAME.sentences, event, names) for event in done.events],
        "refused": None,
    }
    if came_to.compensated:
        seat, points = came_to.compensated
        whole["compensated"] = {"colour": names[seat], "points": points}
    if done.refused is not None:
        sentence = refusal_sentence(GAME.sentences, done.refused, names)
        whole["refused"] = {"rule": done.refused.rule, "sentence": sentence}
    return whole


def _move(done: Replayed) -> dict[str, Any]:
    move: dict[str, Any] = {"kind": "stay" if done.turn.stated.stays else "build", "block": None, "platform": None}
    for each in done.turn.moves:
        match each:
            case Stepped(_, bought):
                move["bought"] = bought
            case Built(_, plot):
                move["block"] = {"plot": list(plot)}
            case Floored(_, piece, squares, marked):
                move["platform"] = {
                    "piece": piece, "squares": list(map(list, squares)), "marked": list(map(list, marked)),
                }  # fmt: skip
    return move
