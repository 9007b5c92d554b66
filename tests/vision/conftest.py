"""What several of these tests share: a picamera2 that misbehaves on purpose."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="session")
def fake() -> ModuleType:
    """The module fake_picamera2.py."""
    spec = importlib.util.spec_from_file_location("fake_picamera2", Path(__file__).with_name("fake_picamera2.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def world(fake: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What the camera is like, while `import picamera2` imports the fake."""
    world = fake.World()
    monkeypatch.setattr(fake.Picamera2, "world", world, raising=False)
    installed = ModuleType("picamera2")
    installed.Picamera2 = fake.Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", installed)
    yield world
    world.released.set()
