"""Opening photographs: every good kind is read upright, every bad one gives one sentence."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from vision.frame import MAX_PIXELS, FrameError, load

HEIGHT, WIDTH = 48, 80


def scene() -> NDArray[np.uint8]:
    """Four quarters of unlike brightness and hue, so that each of the eight orientations looks different."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image[: HEIGHT // 2, : WIDTH // 2] = (250, 30, 30)
    image[: HEIGHT // 2, WIDTH // 2 :] = (30, 250, 30)
    image[HEIGHT // 2 :, : WIDTH // 2] = (30, 30, 250)
    image[HEIGHT // 2 :, WIDTH // 2 :] = (200, 200, 200)
    return image


def encoded(extension: str, image: NDArray[np.uint8] | NDArray[np.uint16] | None = None) -> bytes:
    return bytes(cv2.imencode(extension, scene() if image is None else image)[1])


@pytest.fixture
def save(tmp_path: Path) -> Callable[[str, bytes], Path]:
    def write(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


Save = Callable[[str, bytes], Path]


def refusal(path: Path, capfd: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(FrameError) as caught:
        load(path)
    sentence = str(caught.value)
    assert sentence.startswith(f"{path}: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert capfd.readouterr() == ("", ""), "the codecs must not talk to the person"
    return sentence


@pytest.mark.parametrize("extension", [".jpg", ".png", ".webp"])
def test_reads_each_format(save: Save, extension: str) -> None:
    path = save(f"photo{extension}", encoded(extension))
    frame = load(path)
    assert frame.source == path
    assert frame.image.dtype == np.uint8
    assert np.abs(frame.image.astype(int) - scene())[4:20, 4:36].mean() < 6


def test_the_extension_does_not_matter(save: Save) -> None:
    assert np.array_equal(load(save("photo.jpg", encoded(".png"))).image, scene())


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_exif_orientation_is_applied_once(save: Save, form: str, orientation: int) -> None:
    upright = Image.fromarray(scene()[..., ::-1])
    stored_as = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = upright.transpose(stored_as[orientation]) if orientation in stored_as else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    stored.save(file, form, exif=exif, quality=95)
    image = load(save("photo", file.getvalue())).image
    assert image.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(image.astype(int) - scene()).mean() < 12


@pytest.mark.parametrize("orientation", [0, 9, 65535])
def test_an_impossible_orientation_is_taken_as_upright(save: Save, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    Image.fromarray(scene()).save(file, "JPEG", exif=exif)
    assert load(save("photo.jpg", file.getvalue())).image.shape == (HEIGHT, WIDTH, 3)


def test_a_broken_exif_block_does_not_spoil_the_photograph(save: Save) -> None:
    whole = encoded(".jpg")
    block = b"Exif\x00\x00II*\x00\xff\xff\xff\xff" + b"\x99" * 20
    broken = whole[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + whole[2:]
    assert load(save("photo.jpg", broken)).image.shape == (HEIGHT, WIDTH, 3)


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_a_16_bit_png_is_read_by_its_upper_byte(save: Save, channels: int) -> None:
    deep = np.full((HEIGHT, WIDTH, channels), 0x40FF, np.uint16)
    image = load(save("deep.png", encoded(".png", deep))).image
    assert image.shape == (HEIGHT, WIDTH, 3)
    assert image.dtype == np.uint8
    assert set(np.unique(image)) <= {0x40, 0x41}


def test_a_grey_picture_becomes_three_equal_channels(save: Save) -> None:
    grey = np.asarray(cv2.cvtColor(scene(), cv2.COLOR_BGR2GRAY), np.uint8)
    for extension in (".png", ".jpg"):
        image = load(save(f"grey{extension}", encoded(extension, grey))).image
        assert image.shape == (HEIGHT, WIDTH, 3)
        assert np.array_equal(image[..., 0], image[..., 2])


def test_an_alpha_channel_is_dropped(save: Save) -> None:
    with_alpha = np.dstack([scene(), np.full((HEIGHT, WIDTH), 255, np.uint8)])
    assert np.array_equal(load(save("alpha.png", encoded(".png", with_alpha))).image, scene())


def test_a_palette_picture_is_read(save: Save) -> None:
    file = io.BytesIO()
    Image.fromarray(scene()[..., ::-1]).quantize(16).save(file, "PNG")
    assert np.abs(load(save("palette.png", file.getvalue())).image.astype(int) - scene()).max() < 8


def test_a_progressive_jpeg_with_a_thumbnail_and_a_trailer_is_whole(save: Save) -> None:
    file = io.BytesIO()
    Image.fromarray(scene()[..., ::-1]).save(file, "JPEG", progressive=True)
    thumbnail = encoded(".jpg")
    block = b"\xff\xe2" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    data = file.getvalue()
    assert load(save("photo.jpg", data[:2] + block + data[2:] + b"a film follows")).image.shape == (HEIGHT, WIDTH, 3)


def test_a_picture_with_a_second_one_behind_it_is_read_as_its_first(save: Save) -> None:
    file = io.BytesIO()
    first, second = Image.fromarray(scene()[..., ::-1]), Image.new("RGB", (WIDTH, HEIGHT))
    first.save(file, "MPO", save_all=True, append_images=[second])
    assert np.abs(load(save("photo.jpg", file.getvalue())).image.astype(int) - scene()).mean() < 6


def test_a_picture_of_a_large_phone_is_read(save: Save) -> None:
    large = np.zeros((6000, 8000), np.uint8)
    assert load(save("large.png", encoded(".png", large))).image.shape == (6000, 8000, 3)


def test_a_closed_standard_error_is_no_obstacle(save: Save) -> None:
    script = "import sys; from vision.frame import load; from pathlib import Path; load(Path(sys.argv[1]))"
    whole, cut = save("photo.jpg", encoded(".jpg")), save("cut.png", encoded(".png")[:-40])
    for path, status in ((whole, 0), (cut, 1)):
        command = ["/bin/sh", "-c", '"$@" 2>&-', "sh", sys.executable, "-c", script, str(path)]
        assert subprocess.run(command, check=False).returncode == status  # noqa: S603


def test_a_missing_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "there is no such file" in refusal(tmp_path / "none.jpg", capfd)


def test_a_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "this is a folder" in refusal(tmp_path, capfd)


def test_a_pipe_is_not_waited_for(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    assert "this is not a file" in refusal(tmp_path / "pipe.jpg", capfd)


def test_a_name_that_no_file_can_have(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "cannot be read" in refusal(tmp_path / ("x" * 300), capfd)


def test_no_read_permission(save: Save, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    path = save("secret.jpg", encoded(".jpg"))

    def forbidden(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    # The tests may run as root, who may read everything.
    monkeypatch.setattr(Path, "read_bytes", forbidden)
    assert "may not be read" in refusal(path, capfd)


def test_zero_bytes(save: Save, capfd: pytest.CaptureFixture[str]) -> None:
    assert "the file is empty" in refusal(save("empty.jpg", b""), capfd)


@pytest.mark.parametrize("data", [b"1 1 2 0 1 ,\n", b"GIF89a" + bytes(64), b"%PDF-1.7\n", encoded(".bmp")])
def test_what_is_not_a_photograph(save: Save, data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    assert "not a JPEG, PNG or WebP picture" in refusal(save("text.jpg", data), capfd)


@pytest.mark.parametrize("data", [b"\xff\xd8", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP"])
def test_a_picture_of_which_only_the_beginning_is_there(
    save: Save, data: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    refusal(save("stub.jpg", data), capfd)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9, 0.99])
@pytest.mark.parametrize("extension", [".jpg", ".png", ".webp"])
def test_a_truncated_picture(save: Save, extension: str, share: float, capfd: pytest.CaptureFixture[str]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8)
    data = encoded(extension, noise)
    sentence = refusal(save(f"cut{extension}", data[: int(len(data) * share)]), capfd)
    assert "cut short" in sentence or "damaged" in sentence


def test_a_jpeg_that_lost_its_middle(save: Save, capfd: pytest.CaptureFixture[str]) -> None:
    data = encoded(".jpg", np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8))
    third = len(data) // 3
    assert "damaged" in refusal(save("hole.jpg", data[:third] + data[2 * third :]), capfd)


def png_header(width: int, height: int) -> bytes:
    """A PNG that says how large it is and holds next to nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("width", "height"), [(20_000, 20_000), (10_000, 10_000), (MAX_PIXELS // 1000 + 1, 1000)])
def test_a_bomb_is_refused_before_it_is_decoded(
    save: Save, width: int, height: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cv2, "imdecode", None)
    assert "more than 64 million pixels" in refusal(save("bomb.png", png_header(width, height)), capfd)


def test_a_jpeg_bomb(save: Save, capfd: pytest.CaptureFixture[str]) -> None:
    data = bytearray(encoded(".jpg"))
    size = data.index(b"\xff\xc0") + 5
    data[size : size + 4] = struct.pack(">HH", 20_000, 20_000)
    assert "more than 64 million pixels" in refusal(save("bomb.jpg", bytes(data)), capfd)


def test_a_tiny_picture(save: Save, capfd: pytest.CaptureFixture[str]) -> None:
    assert "only 5 x 3 pixels" in refusal(save("tiny.png", encoded(".png", np.zeros((3, 5), np.uint8))), capfd)


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_an_animation(save: Save, form: str, capfd: pytest.CaptureFixture[str]) -> None:
    file = io.BytesIO()
    first, second = Image.fromarray(scene()), Image.fromarray(scene()[::-1].copy())
    first.save(file, form, save_all=True, append_images=[second], duration=100)
    assert "animation" in refusal(save("film", file.getvalue()), capfd)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_spoilt_file_is_read_or_refused_and_nothing_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    spoilt = bytearray(encoded(data.draw(st.sampled_from([".jpg", ".png", ".webp"]))))
    for position in data.draw(st.lists(st.integers(0, len(spoilt) - 1), min_size=1, max_size=8)):
        spoilt[position] = data.draw(st.integers(0, 255))
    path = tmp_path / "spoilt"
    path.write_bytes(spoilt)
    with contextlib.suppress(FrameError):
        assert load(path).image.dtype == np.uint8
    assert capfd.readouterr() == ("", "")
