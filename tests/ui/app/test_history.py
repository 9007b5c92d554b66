"""Plays of the past: the list, one play's sheets, turns and photographs, the players' records."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.exchange import COLUMNS, take_json
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed, TurnedOver
from companion.games.cassa_grande.setup import Setup
from companion.intents import Make
from companion.journal import Adjusted, Entry, Journal, Played, replay
from companion.kept import Kept, WholePlay
from companion.rules import Seat
from companion.store import Store
from ui.desk import now
from ui.screens.history import PlayRow
from ui.screens.play import TurnRow
from ui.screens.player import Figure
from ui.widgets.chart import Chart
from ui.widgets.dialog import Dialog
from ui.widgets.scrubber import Scrubber
from ui.widgets.sheets import Counted, Ranked, growth

Driver = Any
Start = Callable[..., Driver]

FOUR = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")
"""Source: rule digest, worked example; the totals too."""

TOTALS = {0: 35344, 1: 15448, 2: 401567, 3: 230626}

TWO = ("00011", "22233", "34,.0", "00112", "22,34")
GAME = GAMES["cassa-grande"]
NAMES = {0: "Ana", 1: "Ben", 2: "Zoë", 3: "Łukasz"}
BEGAN = datetime(2026, 11, 30, 19, 0, tzinfo=UTC)


def place(rows: Sequence[str]) -> list[tuple[int, int]]:
    return [(r, c) for r, row in enumerate(rows) for c, face in enumerate(row) if face != "."]


def played(setup: Setup, *rounds: Sequence[str]) -> tuple[Played[Any], ...]:
    """The entries of these rounds, each card laid by whoever is at turn."""
    entries: list[Played[Any]] = []
    state = GAME.rules.new(setup)
    for rows in rounds:
        for cell in (*place(rows), None):
            move = TurnedOver(tuple(rows)) if cell is None else Placed(state.turn, cell)
            entries.append(Played(move))
            state, _events = GAME.rules.apply(state, move)
    return tuple(entries)


FOUR_ENTRIES = played(Setup(), FOUR)


def put_in(
    store: Store,
    name: str,
    names: Mapping[Seat, str] = NAMES,
    entries: Sequence[Entry[Any]] = FOUR_ENTRIES,
    *,
    days: int = 0,
    note: str = "",
    setup: Setup | None = None,
) -> None:
    """Have a finished play in the store, as if it had been played so many days ago."""
    journal: Journal[Any, Any] = Journal(GAME.name, setup or Setup(), dict(names), tuple(entries))
    began = BEGAN - timedelta(days=days)
    kept = tuple(Kept(entry, began + timedelta(minutes=n), 60.0) for n, entry in enumerate(entries))
    whole = WholePlay(name, journal, kept, began, kept[-1].wall, note)
    store.add(whole, replay(GAME.rules, journal).sheets[-1])


def photograph(folder: Path, play: str, number: int, shade: int) -> Path:
    """A kept picture of one grey."""
    path = folder / "photographs" / play / f"{number}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), np.full((90, 160, 3), shade, np.uint8))
    return path


def opened(driver: Driver, page: str, **details: Any) -> None:
    driver.app.open(page, **details)
    ready = {
        "history": lambda: rows(driver),
        "play": lambda: driver.app.page.heading,
        "player": lambda: driver.app.page.ids.records.children,
    }
    driver.until(ready[page], page)
    driver.frames(4)


def rows(driver: Driver) -> list[PlayRow]:
    return sorted(driver.widgets(PlayRow), key=lambda row: -float(row.y))


def columns(driver: Driver, *names: str) -> list[tuple[str, ...]]:
    return [tuple(getattr(row, name) for name in names) for row in rows(driver)]


def loaded(driver: Driver, scrubber: Scrubber, sentence: str) -> int:
    """The grey of the photograph with this sentence."""
    driver.until(lambda: scrubber.sentence == sentence and not scrubber._loading, sentence)
    return int(np.frombuffer(scrubber.texture.pixels, np.uint8)[0])


def test_a_play_finished_by_taps_is_in_the_history_with_its_dates_and_note(start: Start) -> None:
    driver = start()
    driver.app.desk.begin(GAME, Setup(players=2), {0: "Ana", 2: "Zoë"})
    driver.app.open("table")
    driver.settle()
    for cell in place(TWO):
        driver.tap(driver.app.page.board.grid.cells[cell])
    for face in "".join(TWO).replace(".", ""):
        driver.press(face)
    driver.press("Add up")
    driver.press("Home")
    driver.press("History")
    driver.until(lambda: rows(driver), "the list")
    driver.settle()
    [row] = rows(driver)
    assert (row.named, row.ending) == ("Ana, Zoë", "Zoë wins")
    assert row.beside.startswith(f"{now().wall.astimezone():%d.%m.%Y}")

    driver.tap(row)
    driver.until(lambda: driver.widgets(Ranked), "the play")
    driver.press("More")
    driver.press("Write a note")
    for key in ("A", "t", "Space", "Z"):
        driver.press(key)
    driver.press("Done")
    driver.until(lambda: "At Z" in driver.app.page.beside, "the note")
    [saved] = driver.app.desk.store.plays()
    assert saved.note == "At Z"
    assert saved.finished is not None
    assert saved.started < saved.finished


def test_shared_wins_and_ranks_are_told(start: Start) -> None:
    driver = start()
    entries = (*FOUR_ENTRIES, Adjusted(3, TOTALS[2] - TOTALS[3], "agreed"))
    put_in(driver.app.desk.store, "tied", entries=entries)
    opened(driver, "history")
    assert columns(driver, "ending") == [("Zoë & Łukasz share the win",)]
    opened(driver, "play", play="tied")
    shown = [(ranked.place, ranked.named) for ranked in driver.widgets(Ranked)]
    assert sorted(shown) == [("1", "Zoë"), ("1", "Łukasz"), ("3", "Ana"), ("4", "Ben")]
    assert driver.app.page.sheets.heading == "Zoë & Łukasz share the win"


def test_the_list_is_filtered_by_player(start: Start) -> None:
    driver = start((800, 480))
    store = driver.app.desk.store
    put_in(store, "p0", days=2)
    put_in(store, "p1", {0: "Ana", 1: "Bo", 2: "Cy", 3: "Di"}, days=1)
    put_in(store, "p2", {0: "zoë", 1: "Bo", 2: "Cy", 3: "Di"})
    opened(driver, "history")
    assert columns(driver, "named") == [("zoë, Bo, Cy, Di",), ("Ana, Bo, Cy, Di",), ("Ana, Ben, Zoë, Łukasz",)]
    driver.press("Everybody")
    driver.press("Zoë")
    driver.frames(4)
    assert columns(driver, "named") == [("zoë, Bo, Cy, Di",), ("Ana, Ben, Zoë, Łukasz",)]
    driver.press("Zoë")
    driver.press("Everybody")
    driver.frames(4)
    assert len(rows(driver)) == 3


def test_five_hundred_plays_need_no_more_rows_than_are_in_view(start: Start) -> None:
    driver = start((800, 480))
    whole = WholePlay(
        "", Journal(GAME.name, Setup(), NAMES, FOUR_ENTRIES[:1]), (Kept(FOUR_ENTRIES[0], BEGAN, 1.0),), BEGAN
    )
    for number in range(500):
        driver.app.desk.store.add(replace(whole, id=f"p{number}"), None)
    opened(driver, "history")
    plays = driver.app.page.ids.plays
    assert len(plays.data) == 500
    most = plays.height / rows(driver)[0].height + 3
    for place_in_list in (1.0, 0.7, 0.4, 0.0):
        plays.scroll_y = place_in_list
        driver.frames(3)
        assert 3 < len(rows(driver)) <= most


def test_a_play_that_is_not_finished_goes_on(start: Start) -> None:
    driver = start()
    driver.app.desk.begin(GAME, Setup(), NAMES)
    driver.app.open("table")
    driver.settle()
    driver.tap(driver.app.page.board.grid.cells[(0, 0)])
    state, play = driver.app.view.state, driver.app.view.play
    driver.app.page.leave()
    driver.app.desk.begin(GAME, Setup(), {})
    driver.app.desk.lay_aside()
    opened(driver, "history")
    assert set(columns(driver, "ending")) == {("Not finished",)}
    opened(driver, "play", play=play)
    driver.press("Go on")
    assert driver.app.page.name == "table"
    assert (driver.app.view.play, driver.app.view.state) == (play, state)


def test_a_finished_play_is_told_turn_by_turn_and_can_be_corrected(start: Start) -> None:
    driver = start()
    put_in(driver.app.desk.store, "p0")
    opened(driver, "play", play="p0")
    assert driver.named("Go on").disabled
    driver.press("Turns")
    driver.frames(4)
    told = [(row.number, row.sentence) for row in driver.widgets(TurnRow)]
    assert ("1", "Ana lays a card face down on 0,0.") in told
    driver.press("More")
    driver.press("Correct it")
    assert driver.app.page.name == "result"
    assert driver.app.desk.store.plays()[0].finished is not None
    driver.press("Undo")
    assert driver.app.desk.store.plays()[0].finished is None


def test_photographs_are_gone_through_turn_by_turn(start: Start, tmp_path: Path) -> None:
    driver = start((800, 480))
    put_in(driver.app.desk.store, "p0")
    for number, shade in ((0, 20), (1, 120), (5, 220)):
        photograph(tmp_path / "data", "p0", number, shade)
    opened(driver, "play", play="p0")
    driver.press("Photographs")
    scrubber = driver.app.page.scrubber
    assert abs(loaded(driver, scrubber, "Ben lays a card face down on 0,5.") - 220) < 3
    texture = scrubber.texture
    assert driver.named("Later").disabled
    driver.press("Earlier")
    assert abs(loaded(driver, scrubber, "Ben lays a card face down on 0,1.") - 120) < 3
    driver.press("Earlier")
    assert abs(loaded(driver, scrubber, "Ana lays a card face down on 0,0.") - 20) < 3
    assert scrubber.texture is texture
    assert driver.named("Earlier").disabled
    driver.press("Turns")
    driver.frames(4)
    driver.tap(next(row for row in driver.widgets(TurnRow) if row.number == "2"))
    assert abs(loaded(driver, scrubber, "Ben lays a card face down on 0,1.") - 120) < 3


def test_a_photograph_that_is_damaged_is_told(start: Start, tmp_path: Path) -> None:
    driver = start()
    put_in(driver.app.desk.store, "p0")
    photograph(tmp_path / "data", "p0", 0, 20).write_bytes(b"")
    opened(driver, "play", play="p0")
    driver.press("Photographs")
    driver.until(lambda: driver.app.page.scrubber.trouble, "the trouble")
    assert driver.app.page.scrubber.trouble == "0.jpg cannot be read: it is damaged."


def test_a_play_is_deleted_only_after_a_question(start: Start, tmp_path: Path) -> None:
    driver = start()
    store = driver.app.desk.store
    put_in(store, "p0")
    put_in(store, "p1", {0: "Ana", 2: "Cy"}, days=1)
    picture = photograph(tmp_path / "data", "p0", 0, 20)
    opened(driver, "play", play="p0")
    driver.press("More")
    driver.press("Delete")
    driver.press("Keep it")
    assert len(store.plays()) == 2
    driver.press("More")
    driver.press("Delete")
    driver.press("Delete")
    assert [play.id for play in store.plays()] == ["p1"]
    assert driver.app.page.name == "history"
    driver.until(lambda: not picture.parent.exists(), "the photographs' end")
    driver.until(lambda: len(rows(driver)) == 1, "the list")


def test_an_exported_play_that_comes_in_again_adds_nothing(start: Start, tmp_path: Path) -> None:
    driver = start()
    put_in(driver.app.desk.store, "p0", note="at Zoë's")
    opened(driver, "play", play="p0")
    driver.press("More")
    driver.press("Export")
    exports = tmp_path / "data" / "exports"
    driver.until(lambda: "Written" in [dialog.title for dialog in driver.widgets(Dialog)], "the export")
    driver.press("Close")
    text = (exports / "p0.json").read_text(encoding="utf-8")
    sentences = {GAME.name: GAME.sentences}
    for _twice in range(2):
        assert [taken.added for taken in take_json(driver.app.desk.store, text, sentences)] == [None]
    assert len(driver.app.desk.store.plays()) == 1
    assert '# note: "at Zoë\'s"' in (exports / "p0.txt").read_text(encoding="utf-8")


def test_exported_results_have_the_same_columns_whoever_has_played(start: Start, tmp_path: Path) -> None:
    driver = start()
    store = driver.app.desk.store
    put_in(store, "p0", {}, days=2)
    put_in(store, "p1", {0: "Ana", 2: "Zoë"}, played(Setup(players=2), TWO), setup=Setup(players=2), note="a, note")
    opened(driver, "history")
    driver.press("Export the results")
    exports = tmp_path / "data" / "exports"
    driver.until(lambda: "Written" in [dialog.title for dialog in driver.widgets(Dialog)], "the export")
    driver.press("Close")
    [file] = exports.glob("results-*.csv")
    head, *lines = csv.reader(file.read_text(encoding="utf-8").splitlines())
    assert head == list(COLUMNS)
    assert {len(line) for line in lines} == {len(COLUMNS)}
    told = [dict(zip(head, line, strict=True)) for line in lines]
    assert [(each["seat"], each["player"], each["won"]) for each in told] == [
        *(("A", "", "0"), ("B", "", "0"), ("C", "", "1"), ("D", "", "0")),
        *(("A", "Ana", "0"), ("C", "Zoë", "1")),
    ]
    assert [each["note"] for each in told][-2:] == ["a, note", "a, note"]


def test_a_players_records_and_chart(start: Start) -> None:
    driver = start((800, 480))
    store = driver.app.desk.store
    put_in(store, "p0", days=2)
    put_in(store, "p1", {0: "Ana", 1: "Ben", 2: "Łukasz", 3: "Zoë"}, days=1)
    put_in(store, "p2", entries=(*FOUR_ENTRIES, Adjusted(3, TOTALS[2] - TOTALS[3], "agreed")))
    opened(driver, "player", player="Zoë")
    figures = {figure.named: figure.value for figure in driver.widgets(Figure)}
    assert (figures["Plays"], figures["Wins"], figures["Best"]) == ("3", "2, 1 of them shared", "401\u2009567")
    assert figures["Łukasz"] == "3 plays: 1 ahead, 1 behind, 1 level"
    [chart] = driver.widgets(Chart)
    [course] = chart._courses
    assert course.values == (TOTALS[2], TOTALS[3], TOTALS[2])
    assert course.full == {0, 2}
    driver.press("Others")
    driver.press("Ben")
    driver.until(lambda: driver.app.page.player == "Ben", "Ben's records")
    figures = {figure.named: figure.value for figure in driver.widgets(Figure)}
    assert (figures["Plays"], figures["Wins"]) == ("3", "0")


def test_a_tournament_has_a_chart_of_its_round_points(start: Start) -> None:
    driver = start()
    setup = Setup(players=2, rounds=3)
    entries = (*played(setup, TWO, TWO, TWO), Adjusted(0, 1, "a mishap"))
    put_in(driver.app.desk.store, "t", {0: "Ana", 2: "Zoë"}, entries, setup=setup)
    opened(driver, "play", play="t")
    driver.press("Chart")
    [chart] = driver.widgets(Chart)
    assert [(course.seat, course.values) for course in chart._courses] == [(0, (1, 2, 3, 4)), (2, (2, 4, 6, 6))]
    assert chart._columns == ("1", "2", "3", "±")
    assert driver.app.page.sheets.heading == "Zoë wins"
    driver.press("Round 2")
    assert not driver.widgets(Chart)
    assert growth(replay(GAME.rules, Journal(GAME.name, Setup(), {}, FOUR_ENTRIES)).sheets) == ((), ())


def test_the_winner_starts_the_rematch(start: Start) -> None:
    driver = start()
    driver.app.desk.begin(GAME, Setup(players=2), {0: "Ana", 2: "Zoë"})
    driver.app.open("table")
    driver.settle()
    for entry in played(Setup(players=2), TWO):
        driver.app.desk.put(Make(entry.move))
    driver.settle()
    assert driver.app.page.name == "result"
    driver.press("Rematch")
    assert driver.app.view.state.turn == 2
    assert driver.app.view.names == {0: "Ana", 2: "Zoë"}


def test_what_does_not_count_is_told_apart_without_colour(start: Start) -> None:
    driver = start()
    put_in(driver.app.desk.store, "p0")
    opened(driver, "play", play="p0")
    marked = [counted.line for counted in driver.widgets(Counted)]
    assert marked[0].startswith("[b]3[/b] ")
    assert "[s],204X[/s]" in marked[0]
    assert "[size=12]" in marked[0]
