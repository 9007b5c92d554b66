"""What the table's page says of a play, the most important first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.language import _
from companion.view import Question, Tone, View
from ui.widgets.speech import Said


def said(view: View[Any, Any], hint: str, beside: str = "") -> Iterator[Said]:
    """One thing at a time: what was refused, what is asked, what the hands must do, else what to do now.

    `hint` is the board's own sentence, `beside` one that it only mentions.
    """
    if view.message is not None:
        yield Said(view.message.sentence, "told" if view.message.tone is Tone.TOLD else "refused")
    if view.times.paused:
        yield Said(_("Paused: all clocks stand."), "now")
    elif view.question is not None:
        yield from (Said(sentence, "now") for sentence in _asked(view.question))
    else:
        yield from (Said(sentence, "loud") for sentence in view.announced)
        yield from (Said(sentence, "now") for sentence in view.hands)
        yield Said(view.prompt, "now" if not view.hands else "beside")
        if hint:
            yield Said(hint, "now")
    happened = (sentence for sentence in view.happened if sentence not in view.announced)
    yield from (Said(sentence, "beside") for sentence in (beside, view.sighting, *happened) if sentence)


def _asked(question: Question[Any]) -> Iterator[str]:
    proposal = question.proposal
    if len(proposal.options) == 1:
        yield from question.sentences
    elif proposal.options:
        yield _("Which of these was it?")
    if proposal.reason:
        yield proposal.reason


def clock(left_s: float) -> str:
    """Seconds as minutes and seconds: "1:05"; the last second counts until it is over."""
    minutes, seconds = divmod(max(0, -int(-left_s // 1)), 60)
    return f"{minutes}:{seconds:02}"
