import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import quads
from vision.lattice import Lattice, lattices, project
from vision.locate import Candidates
from vision.quads import Quads

STRAIGHT = np.array([[60, 0, 100], [0, 60, 80], [0, 0, 1]], float)
TILTED = np.array([[70, 20, 150], [-8, 55, 160], [0.00002, 0.0006, 1]], float)


def candidates(found: Quads) -> Candidates:
    return Candidates(found, np.ones(len(found), np.int64), np.zeros(len(found), np.bool_))


def cards(homography: NDArray[np.float64], rng: np.random.Generator, *, jitter: float = 0.1, turn: float = 4.0,
          side: float = 0.88, size: int = 6) -> tuple[list[tuple[int, int]], Quads]:  # fmt: skip
    """Hand-laid cards on every node of a square: off by up to `jitter` pitches, turned by up to `turn` degrees."""
    nodes, found = [], []
    for row in range(size):
        for column in range(size):
            angle = np.radians(rng.uniform(-turn, turn))
            spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            corners = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]]) * side / 2 @ spin
            found.append(project(homography, corners + np.array([row, column]) + rng.uniform(-jitter, jitter, 2)))
            nodes.append((row, column))
    return nodes, quads.clockwise(np.array(found))


def numbering(lattice: Lattice, nodes: list[tuple[int, int]], found: Quads) -> set[tuple[int, int]]:
    """By how much the lattice's numbers differ from the true ones: a single offset when it is right."""
    numbers = np.rint(lattice.nodes_at(quads.centres(found))).astype(int)
    return {(int(a - r), int(b - c)) for (a, b), (r, c) in zip(numbers, nodes, strict=True)}


@pytest.mark.parametrize("homography", [STRAIGHT, TILTED])
@pytest.mark.parametrize("seed", range(8))
def test_hand_laid_cards_get_their_nodes(homography: NDArray[np.float64], seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes, found = cards(homography, rng)
    kept = rng.permutation(len(found))[:24]
    answer = lattices(candidates(found[kept]))[0]
    assert len(numbering(answer, nodes, found)) == 1


@pytest.mark.parametrize("seed", range(4))
def test_strangers_are_left_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes, found = cards(TILTED, rng)
    strangers = (rng.uniform(0, 600, (40, 1, 2)) + rng.uniform(-40, 40, (40, 4, 2))).astype(np.float32)
    both = np.concatenate([found, quads.clockwise(strangers)])
    answer = lattices(candidates(both))[0]
    assert len(numbering(answer, nodes, found)) == 1
    assert 34 <= len(answer.cards) <= 40


def test_a_printed_border_does_not_pass_for_the_card() -> None:
    rng = np.random.default_rng(5)
    _, outer = cards(STRAIGHT, rng, side=0.9)
    middle = outer.mean(axis=1, keepdims=True)
    inner = (outer - middle) * 0.8 + middle
    both = np.concatenate([outer, inner])
    found = lattices(candidates(both))
    assert len(found) == 1
    assert found[0].share == pytest.approx(0.9, abs=0.04)


@pytest.mark.parametrize("quarter", range(4))
def test_rows_run_down_the_picture_however_it_was_turned(quarter: int) -> None:
    angle = np.pi / 2 * quarter + 0.3
    spin = np.array([[np.cos(angle), -np.sin(angle), 500], [np.sin(angle), np.cos(angle), 500], [0, 0, 1]])
    _, found = cards(spin @ np.diag([60.0, 60.0, 1.0]), np.random.default_rng(quarter))
    answer = lattices(candidates(found))[0]
    here, right, below = answer.points(np.array([[2.0, 2.0], [2.0, 3.0], [3.0, 2.0]]))
    assert (right - here)[0] > 0
    assert (below - here)[1] > 0
    assert (right - here)[0] > abs((right - here)[1])


def test_expected_corners_follow_lens_distortion() -> None:
    rng = np.random.default_rng(1)
    nodes, found = cards(STRAIGHT, rng, jitter=0.0, turn=0.0)
    camera = np.array([[400.0, 0, 250], [0, 400.0, 230], [0, 0, 1]])
    bent = cv2.undistortPoints(found.reshape(-1, 1, 2), camera, np.array([0.12, 0, 0, 0]), P=camera)
    found = np.asarray(bent, np.float32).reshape(-1, 4, 2)
    corner = nodes.index((0, 0))
    rest = np.delete(np.arange(len(found)), corner)
    answer = lattices(candidates(found[rest]))[0]
    missing = np.rint(answer.nodes_at(quads.centres(found[corner : corner + 1])))[0].astype(int)
    expected = answer.expected([(int(missing[0]), int(missing[1]))])
    off = np.linalg.norm(quads.centres(expected) - quads.centres(found[corner : corner + 1]))
    assert off < 0.1 * 60


def test_scattered_shapes_make_no_lattice() -> None:
    rng = np.random.default_rng(3)
    scattered = (rng.uniform(0, 2000, (30, 1, 2)) + np.array([[-20, -20], [20, -20], [20, 20], [-20, 20]])).astype(
        np.float32
    )
    assert all(len(a.cards) < 6 for a in lattices(candidates(scattered)))
    assert lattices(candidates(np.empty((0, 4, 2), np.float32))) == []


def test_two_layouts_beside_each_other_are_two_lattices() -> None:
    rng = np.random.default_rng(7)
    _, found = cards(STRAIGHT, rng)
    both = np.concatenate([found, found + np.float32(60 * 8.03)])
    answer = lattices(candidates(both))
    assert [len(lattice.cards) for lattice in answer[:2]] == [36, 36]
