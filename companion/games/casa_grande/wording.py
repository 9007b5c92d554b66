"""Casa Grande's sentences. A refusal names its rule and says what to do next."""

from __future__ import annotations

from companion.wording import Sentences

REFUSALS = {
    "over": "The play is over: start a new one, or undo the last move.",
    "no_such_seat_here": "Players: {players} play; name one of them.",
    "turn": "Turn order: it is {seat}'s turn.",
    "roll_first": "Turn: {seat} rolls the die first.",
    "step_first": "Turn: {seat} moves the piece first.",
    "block_first": "Turn: {seat} puts a block first.",
    "floor_first": "Turn: {seat} lays a platform or ends the turn first.",
    "pips": "Die: it shows 1 to 6, not {pips}; look again.",
    "points": "Bought steps: {seat} stands on {points}, too low to buy {bought}; buy fewer.",
    "plot_outside": "Plots: {row},{column} is not on the board; choose one from 0,0 to 7,7.",
    "no_blocks": "Blocks: {seat} has none left; end the turn.",
    "lane": "Lane rule: {row},{column} is not in the lane beside {seat}'s piece; choose in the lane.",
    "block_of_other": "Block rule: {row},{column} is {seat}'s own block; choose another plot.",
    "floor_marks": "Platform {piece}: name its squares, the marked ones among them.",
    "floor_apart": "Platform {piece}: its squares touch by their sides; name all of them.",
    "floor_unknown": "Box: no platform is called {piece}; it holds {pieces}.",
    "floor_shape": "Platform {piece}: it has another shape or other marks; turn it so that it fits.",
    "floor_stock": "Platforms: {seat} has no {piece} left; choose another.",
    "floor_edge": "Edge rule: {piece} stands out over the edge at {row},{column}; lay it inside.",
    "floor_on_nothing": "Marked squares: no block lies under {row},{column}; lay {piece} on own blocks.",
    "floor_marked": "Marked squares: {row},{column} is not on a block of {seat}; all must be.",
    "floor_height": "Height rule: the block under {row},{column} is on level {low}, another on {level}; "
    "lay {piece} on equal heights.",
    "floor_blocked": "Height rule: {row},{column} stands higher than level {level}; lay {piece} elsewhere.",
    "floor_on_floor": "Platform rule: at {row},{column} lies a floor of level {level}; blocks must be between.",
    "floor_covers": "House rule covering: {row},{column} is {seat}'s; cover own tops only.",
    "floor_bridges": "House rule bridging: nothing of this height lies under {row},{column}; lay {piece} elsewhere.",
    "floor_identical": "Identical floors: the same shape lies right below on level {below}; lay another.",
    "corner_ends": "Corner rule: {seat} stays on the corner, or buys a step on; the turn is over.",
    "stays_off_corner": "Corner rule: {seat}'s piece is on no corner, so the turn is played on.",
    "said_level": "Levels: on {row},{column} {seat} builds on level {level}, not {said}.",
    "said_pay": "Pay: squares times level come to {lire} lire, not {said}.",
    "said_compensation": "Compensation: {seat} gains {points} on the bonus scale, and nobody else.",
    "said_none_due": "Compensation: nobody builds on {seat}'s floor, so nothing is due.",
    "said_bonus": "Bonus scale: {seat} stands on {points} now, not {said}.",
    "said_lire": "Money: {seat} has {lire} lire now, not {said}.",
    "seen_nothing": "Camera: the board is not seen whole; take hands away, or move the camera.",
    "seen_unexplained": "Camera: these spots fit no move of this turn; put them right, or tap the move.",
}

EVENTS = {
    "rolled": "{seat} rolls {pips}.",
    "stepped": "{seat} moves on by {steps}.",
    "stepped_and_paid": "{seat} moves on by {steps} and pays {bought} on the bonus scale.",
    "corner_gain": "{seat} stays on the corner and gains {points} on the bonus scale.",
    "corner_nothing": "{seat} stays on the corner that was bought, and gains nothing.",
    "no_plot": "{seat} has no plot in this lane that a block may go on: no block this turn.",
    "no_block": "{seat} has no block left: no block this turn.",
    "built": "{seat} puts a block on {row},{column}, level {level}.",
    "compensated": "{other} builds on {seat}'s floor: {seat} gains {points} on the bonus scale.",
    "cash_in": "{seat} reaches 9 on the bonus scale: {lire} lire, and the marker goes back to 0.",
    "last_block": "{seat} has laid the last block: this round is the last.",
    "floored": "{seat} lays {piece} on level {level}: {squares} squares pay {lire} lire.",
    "notes": "The bank gives {seat} {given}.",
    "notes_with_change": "The bank gives {seat} {given} and gets {change} back.",
    "bank_short": "The bank cannot pay {seat} {lire} lire in notes: note them down.",
    "no_floor": "{seat} lays no platform.",
    "play_over": "The play is over.",
}

LOUD = frozenset({"compensated", "cash_in", "last_block"})
"""Everybody must hear of these: they are forgotten most."""

PROMPTS = {
    "now_roll": "{seat} rolls the die.",
    "now_step": "{seat} moves on by {pips}, or further for bonus points.",
    "now_block": "{seat} puts a block in the lane.",
    "now_floor": "{seat} lays a platform, or ends the turn.",
    "now_over": "The play is over: look at the result, or undo the last move.",
}

HANDS = {
    "take_block": "Take {seat}'s block off {row},{column}.",
    "take_floor": "Take {seat}'s platform {piece} off: {cells}.",
    "put_block": "Put {seat}'s block back on {row},{column}.",
    "put_floor": "Lay {seat}'s platform {piece} again: {cells}.",
    "move_piece": "Move {seat}'s piece back from space {old} to space {space}.",
    "move_marker": "Set {seat}'s bonus marker to {points}.",
    "pay_back": "{seat} pays {lire} lire back to the bank: {given}.",
    "pay_again": "The bank pays {seat} {lire} lire again: {given}.",
    "change_notes": "The bank changes notes with {seat}: {given}.",
}

LINES = {
    "floor": "Round {number}: {piece}, {squares} squares on level {level}, pays {points}",
    "cash_in": "Round {number}: 9 on the bonus scale pays {points}",
}

SENTENCES = Sentences(REFUSALS, {**EVENTS, **PROMPTS, **HANDS}, LINES)
