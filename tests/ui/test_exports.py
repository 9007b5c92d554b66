from __future__ import annotations

from pathlib import Path

from ui.exports import sticks


def test_sticks_are_what_is_mounted_where_people_plug_things_in(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("proc /proc proc rw 0 0\n/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /media/nobody/gone vfat rw 0 0\n\n")
    assert sticks(mounts) == ()
    assert sticks(tmp_path / "no mounts") == ()
