"""The house itself: what may be imported where, and what must not be in its files."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN_IN_COMPANION = {"asyncio", "random", "threading", "time"}
LOCKS = sorted(path.name for path in (ROOT / "deploy").glob("lock-*.txt"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "companion").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_the_rules_import_the_standard_library_alone(path: Path) -> None:
    names = set(imported(path))
    assert names <= set(sys.stdlib_module_names) | {"companion"}
    assert not names & FORBIDDEN_IN_COMPANION


def test_there_is_a_lock_for_each_environment() -> None:
    assert LOCKS == ["lock-cv4.txt", "lock-dev.txt", "lock-run.txt"]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_and_hashes_everything_and_names_no_address(name: str) -> None:
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    assert not re.search(r"://|--index-url|--extra-index-url|--find-links|\[tool", text)
    requirements = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert requirements
    for line in requirements:
        assert re.match(r"[a-z0-9.-]+(\[[a-z]+\])?==[^ ]+ ", line), line
        assert line.endswith("\\"), f"{line} has no hash"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_every_dependency_and_one_opencv(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    locked = set(re.findall(r"^([a-z0-9.-]+)(?:\[[a-z]+\])?==", text, re.MULTILINE))
    needed = {re.split(r"[\[>=<]", requirement)[0] for requirement in project["dependencies"]}
    assert needed <= locked
    assert {package for package in locked if package.startswith("opencv")} == {"opencv-python"}


def test_the_older_pair_is_the_one_of_raspberry_pi_os_12() -> None:
    text = (ROOT / "deploy" / "lock-cv4.txt").read_text(encoding="utf-8")
    assert "opencv-python==4.10.0.84" in text
    assert re.search(r"^numpy==1\.26\.\d+ ; python_full_version < '3\.13'", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["deploy/run", "deploy/test", "deploy/lock", ".ci/run"])
def test_scripts_are_executable_and_strict(name: str) -> None:
    script = ROOT / name
    assert script.stat().st_mode & 0o111
    assert "set -euo pipefail" in script.read_text(encoding="utf-8")
    subprocess.run(["bash", "-n", str(script)], check=True)  # noqa: S603, S607


def test_links_in_the_readme_lead_somewhere() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
