"""The catalogues hold all texts of the code, in every language, with the same facts to be filled in."""

from __future__ import annotations

import gettext
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from ui import gather
from ui.catalogues import FOLDER, LANGUAGES, wanted

TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
LONGEST = 190


@pytest.fixture(params=TRANSLATED)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{[^{}]*\}", text))


def translations(language: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The forms of every text, in English and translated."""
    return [(gather.forms(text.id), gather.forms(text.string)) for text in gather.read(language) if text.id]


def test_each_catalogue_has_the_texts_of_the_code_and_no_others(language: str) -> None:
    code = {gather.forms(text.id) for text in gather.template() if text.id}
    assert len(code) > 300
    assert {english for english, _own in translations(language)} == code, "run deploy/translate"


def test_nothing_is_left_untranslated_or_unsure(language: str) -> None:
    assert not [english for english, own in translations(language) if not all(own)]
    assert not [text.id for text in gather.read(language) if text.fuzzy]


def test_each_form_of_a_translation_has_the_same_facts(language: str) -> None:
    differing = [
        own
        for english, own in translations(language)
        if {frozenset(placeholders(form)) for form in own} != {frozenset(placeholders(english[-1]))}
        and {frozenset(placeholders(form)) for form in own} != {frozenset(placeholders(form)) for form in english}
    ]
    assert not differing
    assert {len(own) for english, own in translations(language) if len(english) == 2} == {2}


def test_the_compiled_catalogue_is_made_of_the_written_one(language: str) -> None:
    compiled = gettext.translation("companion", FOLDER, [language])
    for english, own in translations(language):
        if len(english) == 1:
            assert (compiled.gettext(english[0]),) == own
        else:
            assert tuple(compiled.ngettext(english[0], english[1], count) for count in (1, 2)) == own


def test_translations_are_hardly_longer_than_what_screens_have_room_for(language: str) -> None:
    longer = [own for english, own in translations(language) if len(own[-1]) > 1.4 * len(english[-1]) + 12]
    assert not longer
    assert max(len(own[-1]) for _english, own in translations(language)) <= LONGEST


def test_french_marks_stand_after_a_space_that_does_not_break() -> None:
    forms = [form for _english, own in translations("fr") for form in own]
    assert not [form for form in forms if re.search(r"(?<!\xa0)[:;!?]", re.sub(r"\{[^{}]*\}", "", form))]
    assert not [form for form in forms if re.search(r"\w'\w", form)]


def test_an_update_changes_nothing_where_no_text_has_changed(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = gather.po_file(language).read_bytes()
    monkeypatch.setattr(gather, "FOLDER", tmp_path)
    gather.po_file(language).parent.mkdir(parents=True)
    gather.po_file(language).write_bytes(before)
    assert gather.update(language, gather.template()) == []
    assert gather.po_file(language).read_bytes() == before


def test_a_new_text_comes_into_the_catalogue_and_one_that_is_gone_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gather, "FOLDER", tmp_path)
    first, second = Catalog(), Catalog()
    first.add("Old")
    second.add("New {number}")
    assert gather.update("fr", first) == ["Old"]
    assert gather.update("fr", second) == ["New {number}"]
    assert [text.id for text in gather.read("fr") if text.id] == ["New {number}"]
    assert gather.read("fr").num_plurals == 2


@pytest.mark.parametrize(
    ("setting", "environment", "language"),
    [
        ("fr", {"LANG": "de_DE.UTF-8"}, "fr"),
        ("auto", {"LANG": "de_AT.UTF-8"}, "de"),
        ("auto", {"LANG": "de_DE.UTF-8", "LC_ALL": "fr_CA.UTF-8"}, "fr"),
        ("auto", {"LANG": "en_GB.UTF-8", "LANGUAGE": "pl:de:fr"}, "de"),
        ("auto", {"LANG": "C.UTF-8"}, "en"),
        ("auto", {"LANG": "ja_JP.UTF-8"}, "en"),
        ("auto", {}, "en"),
    ],
)
def test_the_language_is_the_one_that_was_chosen_or_the_systems(
    setting: str, environment: dict[str, str], language: str
) -> None:
    assert wanted(setting, environment) == language
