"""The command line's own manners: help, version, and what a person sees when something breaks."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.errors import CompanionError
from ui.main import COMMANDS, main
from ui.status import Status


def pretend(monkeypatch: pytest.MonkeyPatch, error: BaseException | None = None) -> None:
    """Let every command end in this error."""

    def run(_: object) -> int:
        if error is not None:
            raise error
        return 0

    module = SimpleNamespace(add_arguments=lambda parser: None, run=run)  # noqa: ARG005
    monkeypatch.setattr("importlib.import_module", lambda _: module)


def stopped(arguments: list[str]) -> object:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    return caught.value.code


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_help_names_every_command_with_an_example(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert stopped(arguments) == 0
    text = capsys.readouterr().out
    for name, command in COMMANDS.items():
        assert f"  {name} " in text
        assert command.example in text


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert stopped([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: companion {name} ")
    assert COMMANDS[name].example in text
    assert "exit status:\n  0 " in text
    assert "\n  2 " in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert stopped(["--version"]) == 0
    assert re.fullmatch(r"companion \d+\.\d+\.\d+\n", capsys.readouterr().out)


def test_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert stopped(["cook"]) == 2
    assert "'cook'" in capsys.readouterr().err


@pytest.mark.parametrize("first", ["--", "-", "", "--read", "-x"])
def test_what_stands_before_a_command_is_bad_usage(first: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert stopped([first, "read", "cassa-grande", "table.jpg"]) == 2
    assert capsys.readouterr().err.startswith("usage: companion COMMAND")


def test_what_a_person_caused_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pretend(monkeypatch, CompanionError("There are no rows: give them."))
    assert main(["score"]) == 2
    assert capsys.readouterr() == ("", "There are no rows: give them.\n")


def test_what_nobody_foresaw_goes_into_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    pretend(monkeypatch, ZeroDivisionError("by naught"))
    assert main(["score"]) == 1
    out, err = capsys.readouterr()
    [report] = tmp_path.iterdir()
    assert (out, err) == ("", f"The program failed; please send the report {report} to its makers.\n")
    assert "ZeroDivisionError: by naught" in report.read_text()


def test_a_report_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    pretend(monkeypatch, ZeroDivisionError())
    assert main(["score"]) == 1
    assert capsys.readouterr().err == "The program failed (ZeroDivisionError), and no report of it could be written.\n"


def test_the_keyboard_stops_it_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pretend(monkeypatch, KeyboardInterrupt())
    assert main(["score"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_closed_pipe_is_no_error() -> None:
    command = [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main(sys.argv[1:]))"]
    layout = ["score", "cassa-grande", "11201,", "4,X00X", "022104", "2003X2", "32,243", "X402,3"]
    with subprocess.Popen([*command, *layout], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_stop_a_reading(closed: str, tmp_path: Path) -> None:
    photo = tmp_path / "bare.png"
    assert cv2.imwrite(str(photo), np.full((200, 300, 3), 90, np.uint8))
    script = "import sys; from ui.main import main; sys.exit(main(sys.argv[1:]))"
    shell = ["/bin/sh", "-c", f'"$@" {closed}', "sh", sys.executable, "-c", script]
    for name, status in ((photo, Status.PLEASE_CHECK), (tmp_path / "none.jpg", Status.BAD_INPUT)):
        command = [*shell, "read", "cassa-grande", str(name), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        assert done.returncode == status
        assert done.stderr == ("" if "2>" in closed or status is Status.PLEASE_CHECK else done.stderr)
        assert done.stdout.count("\n") == (">&-" not in closed.split() and status is Status.PLEASE_CHECK)


def test_adding_up_does_not_wait_for_the_vision_libraries() -> None:
    script = (
        "import sys; from ui.main import main; status = main(sys.argv[1:]);"
        "print(sorted({'cv2', 'numpy', 'scipy'} & set(sys.modules)), status)"
    )
    layout = ["11201,", "4,X00X", "022104", "2003X2", "32,243", "X402,3"]
    command = [sys.executable, "-c", script, "score", "cassa-grande", *layout]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.splitlines()[-1] == "[] 0"
