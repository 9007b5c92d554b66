"""The doctor's own manners: what it prints, its exit status, and that nothing stops it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from ui import doctor
from ui.checks.finding import Finding, Level
from ui.doctor import as_json, as_text, examine, status_of
from ui.status import Status

OK = Finding("disk", Level.OK, "Plays are kept here.")
WARN = Finding("camera", Level.WARN, "No camera is plugged in.", "Plug one in.")
FAIL = Finding("clock", Level.FAIL, "The clock says 1970.", "sudo date -s '2027-01-31 19:30'")


def run(bench: Any, monkeypatch: pytest.MonkeyPatch, *, config: Path | None = None, as_object: bool = False) -> Status:
    monkeypatch.setattr(doctor, "Machine", lambda: bench.machine)
    return doctor.run(argparse.Namespace(config=config, json=as_object))


def test_lines_are_aligned_and_each_fix_stands_below() -> None:
    assert as_text([OK, WARN, FAIL]).splitlines() == [
        "ok    disk    Plays are kept here.",
        "warn  camera  No camera is plugged in.",
        "              fix: Plug one in.",
        "FAIL  clock   The clock says 1970.",
        "              fix: sudo date -s '2027-01-31 19:30'",
        "",
        "1 to mend first, 1 to know of, 1 in order.",
    ]


def test_the_summary() -> None:
    assert as_text([OK, WARN]).splitlines()[-1] == "Ready to play; 1 to know of, 1 in order."
    assert as_text([OK]).splitlines()[-1] == "Ready to play: all 1 in order."


def test_long_sentences_are_wrapped_and_commands_are_not() -> None:
    text = as_text([Finding("x", Level.WARN, "word " * 60, "command " * 60)])
    *sentence, fix = text.splitlines()[:-2]
    assert len(sentence) == 3
    assert max(map(len, sentence)) <= 118
    assert fix.count("command") == 60


def test_the_exit_status() -> None:
    assert status_of([OK, WARN]) is Status.DONE
    assert status_of([OK, FAIL, WARN]) is Status.PLEASE_CHECK


def test_one_json_object() -> None:
    assert as_json([OK, FAIL], 0.12345) == {
        "ready": False,
        "findings": [
            {"name": "disk", "level": "ok", "sentence": "Plays are kept here.", "fix": ""},
            {"name": "clock", "level": "fail", "sentence": "The clock says 1970.", "fix": FAIL.fix},
        ],
        "seconds": 0.123,
    }


def test_a_pi_that_is_ready(pi_4: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(pi_4, monkeypatch) is Status.DONE
    assert capsys.readouterr().out.splitlines()[-1].startswith("Ready to play: all ")


def test_what_fails_gives_status_3(
    pi_4: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pi_4.scripts.modules["cv2"] = ("missing", "")
    assert run(pi_4, monkeypatch, as_object=True) is Status.PLEASE_CHECK
    found = json.loads(capsys.readouterr().out)
    assert found["ready"] is False
    assert [finding["name"] for finding in found["findings"] if finding["level"] == "fail"] == ["packages"]


def test_every_failure_and_warning_of_a_bare_machine_has_a_fix_or_needs_none(bench: Any) -> None:
    without = [f.sentence for f in bench.examine() if f.level is not Level.OK and not f.fix]
    assert without == [
        "This is no Raspberry Pi: there are no buttons and lights; the screen does it all.",
    ]


def test_a_check_that_raises_is_a_finding(bench: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def broken(machine: object, config: object) -> list[Finding]:  # noqa: ARG001
        raise ZeroDivisionError("by naught")

    found = examine(bench.machine, None, {"pins": broken, "disk": lambda machine, config: [OK]})  # noqa: ARG005
    assert found[-1] is OK
    assert found[-2].name == "pins"
    assert found[-2].level is Level.FAIL
    assert "ZeroDivisionError: by naught" in found[-2].sentence
    assert "send the report" in found[-2].fix


def test_findings_before_a_check_raises_are_kept(bench: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def half(machine: object, config: object) -> Any:  # noqa: ARG001
        yield WARN
        raise ValueError

    found = examine(bench.machine, None, {"pins": half})
    assert [finding.level for finding in found[-2:]] == [Level.WARN, Level.FAIL]


def test_settings_that_are_wrong_are_all_told_and_the_rest_goes_by_the_defaults(bench: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[camera]\nkind = "polaroid"\nrotate = 90\n[wiring]\nconfirm = 27\n', encoding="utf-8")
    found = bench.failing(path)
    assert [finding.name for finding in found] == ["settings"] * 3
    assert all(finding.sentence.startswith(f"{path}: ") for finding in found)
    assert "did you mean rotation?" in found[1].sentence
    assert "wiring.undo is the pin of wiring.confirm too" in found[2].sentence


def test_the_systems_and_the_users_own_settings_are_read(bench: Any) -> None:
    bench.files(
        {
            "/etc/table-companion/companion.toml": '[camera]\nkind = "none"\n',
            "/home/ana/.config/table-companion/companion.toml": "",
        }
    )
    found = [finding for finding in bench.examine() if finding.name == "settings"]
    assert [finding.level for finding in found] == [Level.WARN, Level.OK]
    assert "is empty" in found[0].sentence
    assert "etc/table-companion/companion.toml, " in found[1].sentence


def test_a_file_of_settings_that_is_not_there(bench: Any, tmp_path: Path) -> None:
    [found] = bench.failing(tmp_path / "none.toml")
    assert "No such file" in found.sentence
