from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.errors import StoreError
from ui.alone import LOCK, RunningError, alone
from ui.main import main
from ui.root import RootError, refuse_sudo
from ui.status import Status

HOLDER = """
import sys
from pathlib import Path
from ui.alone import alone
with alone(Path(sys.argv[1])):
    print("in", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that is in there."""
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "in\n"
        try:
            yield other
        finally:
            other.kill()


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text('[data]\nfolder = "data"\n', encoding="utf-8")
    return path


def test_a_second_one_is_told_which_process_the_first_one_is(tmp_path: Path) -> None:
    with held(tmp_path) as other, pytest.raises(RunningError) as caught, alone(tmp_path):
        raise AssertionError("both were in")
    assert str(caught.value).startswith(f"Table Companion is already running here (process {other.pid}): ")


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_however_it_ends_the_next_one_may_start(tmp_path: Path, sent: signal.Signals) -> None:
    with held(tmp_path) as other:
        other.send_signal(sent)
        other.wait()
    with alone(tmp_path):
        assert (tmp_path / LOCK).read_text(encoding="utf-8") == f"{os.getpid()}\n"
    with alone(tmp_path):
        pass


def test_other_folders_are_free_and_a_missing_one_is_made(tmp_path: Path) -> None:
    with held(tmp_path / "one"), alone(tmp_path / "two" / "deep"):
        assert (tmp_path / "two" / "deep").is_dir()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="file/data"), alone(tmp_path / "file" / "data"):
        raise AssertionError("it was in")


@pytest.mark.parametrize("simulate", [[], ["--simulate"]])
def test_the_table_is_opened_once(settings: Path, simulate: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with held(settings.parent / "data") as other:
        assert main(["table", *simulate, "--config", str(settings)]) is Status.BAD_INPUT
    told = capsys.readouterr().err
    assert told.startswith(f"Table Companion is already running here (process {other.pid}): ")
    assert told.count("\n") == 1


@pytest.mark.parametrize("lender", [{"SUDO_UID": "1000"}, {"PKEXEC_UID": "1000"}, {"DOAS_USER": "ana"}])
def test_started_with_sudo_it_says_how_to_do_without(lender: dict[str, str]) -> None:
    with pytest.raises(RootError, match=r"start it without sudo.*usermod"):
        refuse_sudo(lender, user=0)


@pytest.mark.parametrize(
    ("environment", "user"),
    [({}, 0), ({"SUDO_UID": "0"}, 0), ({"SUDO_UID": ""}, 0), ({"SUDO_UID": "1000"}, 1000), ({}, 1000)],
)
def test_a_login_as_root_and_everybody_else_may_start_it(environment: dict[str, str], user: int) -> None:
    refuse_sudo(environment, user)


def test_the_table_is_not_opened_with_sudo(
    settings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SUDO_UID", "1000")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert main(["table", "--simulate", "--config", str(settings)]) is Status.BAD_INPUT
    assert "start it without sudo" in capsys.readouterr().err
    assert not (settings.parent / "data").exists()
