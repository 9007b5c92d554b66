"""Cassa Grande's sentences. A refusal names its rule and says what to do next."""

from __future__ import annotations

from companion.wording import Sentences

REFUSALS = {
    "over": "The play is over: start a new one, or undo the last move.",
    "place_first": "Turn order: {seat} lays a card first.",
    "swap_first": "Variant B: {seat} first swaps a card with an opponent.",
    "deal_first": "Variant E: deal all the cards first.",
    "turn_over_first": "All cards lie: turn them over first.",
    "turn": "Turn order: it is {seat}'s turn.",
    "first_card": "First card: it lies on cell 0,0, not {row},{column}; the other cells count from there.",
    "occupied": "Cell {row},{column} already holds a card: choose a free cell.",
    "touch": "Touch rule: a card on {row},{column} touches no other; lay it against a side or a corner.",
    "frame": "Frame rule: a card on {row},{column} makes the layout {width} wide and {height} high; "
    "{frame} by {frame} is the limit.",
    "face_up": "Face-up rule: this card lies face up in table turn {turn}; say which face {seat} lays.",
    "comma_waits": "Comma rule: {seat}'s comma waits until the layout is {frame} wide and {frame} high; lay a digit.",
    "empty_hand": "Hand: {seat} has no card left to lay; check whose card it is.",
    "not_in_hand": "Hand: {seat} has no {face} left; check the face, or undo the card that was noted wrongly.",
    "deck": "Deck: there are {count} cards with {face}, and all are elsewhere; check the face.",
    "swap_partner": "Variant B: {seat} swaps with an opponent; name one.",
    "swap_empty_hand": "Variant B: {other} has no card in hand; {seat} chooses another opponent.",
    "comma_laid_out": "Comma rule: {seat}'s comma is laid out and not in hand; swap another card.",
    "deal_hands": "Variant E: {players} hands are dealt, not {hands}; write ? for a hand that nobody saw.",
    "deal_size": "Variant E: {seat} is dealt {each} cards, not {size}; count again.",
    "deal_deck": "Deck: {count} cards with {face} are too many for the deck ({deck}); check the hands.",
    "grid_rows": "Grid: {problem}",
    "grid_unknown": "Grid: the card in row {row}, column {column} is not known; say its face.",
    "grid_size": "Frame rule: the grid is {width} wide and {height} high; {frame} by {frame} is the limit.",
    "grid_box": "Grid: the cards lie {height} high and {width} wide, this grid is {rows} by {columns}; "
    "give it as seat A reads it.",
    "grid_gap": "Grid: no card was laid in row {row}, column {column}, where {face} is shown; check it, or undo.",
    "grid_card": "Grid: a card was laid in row {row}, column {column}, where a gap is shown; check it, or undo.",
    "grid_known": "Grid: the card in row {row}, column {column} was {was} and now shows {face}; check it, or undo.",
    "grid_deck": "Deck: the grid shows {face} {count} times, and the deck ({deck}) has {allowed}; check these cards.",
    "grid_hands": "Hands: {seat}'s face-down cards show {shown}, and {seat} had {held}; check these cards.",
    "seen_nothing": "Camera: no card is seen; take hands away and let the camera see the whole layout.",
    "seen_gone": "Camera: the card on {row},{column} is not seen; put it back, or take away what covers it.",
    "seen_moved": "Camera: no card is seen on {row},{column}, and one on {to_row},{to_column}; "
    "put it back, or take hands away.",
    "seen_many": "Camera: {count} new cards lie on the table; put them in one after the other.",
    "seen_strange": "Camera: what lies on {row},{column} is no card of this game; take it away.",
    "seen_open": "Face-down rule: the card on {row},{column} shows {face}; turn it face down.",
    "seen_turned": "Camera: the layout is seen from another side; seat A belongs at the picture's bottom edge.",
    "seen_last_round": "Camera: gather the cards of the last round before the next one starts.",
    "seen_face_down": "Camera: {count} cards still lie face down; turn all over in place.",
}

EVENTS = {
    "placed_face_down": "{seat} lays a card face down on {row},{column}.",
    "placed_face_up": "{seat} lays {face} face up on {row},{column}.",
    "swapped": "{seat} and {other} swap a card.",
    "dealt": "Everybody is dealt {each} cards.",
    "limits_set": "The limits are set, {frame} by {frame}: all take their comma back and may play it.",
    "commas_free": "The commas come free: all take theirs back and may play it.",
    "comma_back": "{seat} has only the comma left and takes it back.",
    "turn_over": "All cards lie: turn them over in place.",
    "round_won": "{seat} wins round {number} with {total}.",
    "round_tied": "{seat} shares the win of round {number} with {total}.",
    "round_starts": "{seat} starts round {number}.",
    "play_over": "The play is over.",
}

LOUD = frozenset({"limits_set", "commas_free"})
"""Everybody has something to do now."""

PROMPTS = {
    "now_deal": "Shuffle all the cards and deal {each} to each player.",
    "now_first_card": "{seat} lays the first card face {side}.",
    "now_first_card_of_round": "Round {number}: {seat} lays the first card face {side}.",
    "now_digit": "{seat} lays a digit face {side}; the comma waits.",
    "now_card": "{seat} lays a card face {side}.",
    "now_swap": "{seat} swaps a card with an opponent.",
    "now_turn_over": "All cards lie: turn them face up in place and photograph them.",
    "now_over": "The play is over: look at the result, or undo the last move.",
}

HANDS = {
    "turn_down_again": "Turn {what} face down again, in place: {cells}.",
    "turn_up_again": "Turn {what} face up again, in place: {cells}.",
    "turn_all_down_again": "Turn all cards face down again, in place.",
    "turn_all_up_again": "Turn all cards face up again, in place.",
    "take_back": "{seat} takes {what} back in hand: {cells}.",
    "lay_down_again": "{seat} lays {what} face down again: {cells}.",
    "lay_up_again": "{seat} lays {what} face up again: {cells}.",
    "all_commas_out": "All lay their comma out in front again: it waits.",
    "comma_out": "{seat} lays the comma out in front again: it waits.",
    "all_commas_in": "All take their comma in hand again.",
    "comma_in": "{seat} takes the comma in hand again.",
    "swap_back": "{seat} swaps the card back.",
    "swaps_back": "Swap {count} cards back, the newest swap first.",
    "swap_again": "{seat} swaps the card again.",
    "swaps_again": "Swap {count} cards again, the oldest swap first.",
    "collect_all": "Collect all cards from table and hands.",
    "deal_again": "All take the cards again that they were dealt.",
    "clear_table": "Take the cards of round {number} off the table; all take their own in hand.",
    "lay_out_again": "Lay round {number} out again: {rows}, top row first, as seat A reads it.",
    "rest_in_hand": "All take the rest of their cards in hand.",
}

LINES = {
    "whole_line": "{line} reads {points}",
    "stops_at_comma": "{line} reads {points}: stops at the comma",
    "stops_at_gap": "{line} reads {points}: stops at the gap",
    "starts_with_comma": "{line} reads 0: starts with a comma",
    "starts_with_gap": "{line} reads 0: starts with a gap",
    "round_points": "Round {number}: rank {rank} with {total} earns {points}",
    "shared_round_points": "Round {number}: rank {rank} shared by {sharing} with {total} earns {points}",
}

SENTENCES = Sentences(REFUSALS, {**EVENTS, **PROMPTS, **HANDS}, LINES)
