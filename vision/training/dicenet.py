"""Train the dice finder: a small fully convolutional network from a picture to hills, values, sizes and turns; as ONNX.

Run: python -m vision.training.dice --seed 1 --count 14000 --out TILES.npz
     python -m vision.training.dicenet --tiles TILES.npz --seed 1 --minutes 12 --out vision/models/dice.onnx
Needs the `training` extra (torch, onnx).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.dicemap import CLASSES, STRIDE, UNIT_PX
from vision.training.dice import TILE
from vision.training.layers import Residual, convolution

BATCH = 32
CELLS = TILE // STRIDE
KEPT_BACK = 512
"""Tiles, the last ones, that only serve to watch the loss and to measure the temperature."""


class DiceNet(nn.Module):
    """(N, 3, H, W) BGR scaled to -1..1, sides multiples of 16, to (N, 11, H/4, W/4).

    The logit of a top face's middle, those of its seven classes, the logarithm of its side in units of `UNIT_PX`,
    and the cosine and sine of four times its turn.
    """

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(convolution(3, 16, 2), convolution(16, 24, 2), Residual(24))
        self.eighth = nn.Sequential(convolution(24, 40, 2), Residual(40))
        self.sixteenth = nn.Sequential(convolution(40, 56, 2), Residual(56, 2))
        self.side_8 = nn.Conv2d(40, 40, 1)
        self.down_16 = nn.Conv2d(56, 40, 1)
        self.side_4 = nn.Conv2d(24, 24, 1)
        self.join_8 = convolution(40, 24)
        self.join_4 = convolution(24, 24)
        self.head = nn.Conv2d(24, 4 + CLASSES, 1)
        # At first no die is likely anywhere.
        nn.init.constant_(self.head.bias[:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        """All of them, as they come."""
        quarter = self.quarter(x)
        eighth = self.eighth(quarter)
        x = self.join_8(_doubled(self.down_16(self.sixteenth(eighth))) + self.side_8(eighth))
        out: Tensor = self.head(self.join_4(_doubled(x) + self.side_4(quarter)))
        return out


def _doubled(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class FromPixels(nn.Module):
    """The network as it is used: raw BGR 0..255 in."""

    def __init__(self, net: DiceNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> Tensor:
        """(N, 3, H, W) 0..255 to (N, 11, H/4, W/4)."""
        out: Tensor = self.net(x / 127.5 - 1)
        return out


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the network should say: `hill` (N, h, w); of each cell near a middle, weighted: class, size, turn.

    `counted` (N, h, w): 0 where a die is cut off by the edge, so that nothing is asked there.
    """

    hill: Tensor
    counted: Tensor
    near: Tensor
    value: Tensor
    size: Tensor
    turn: Tensor


def wanted_of(marks: Tensor) -> Wanted:
    """From marks (N, K, 6): x, y, side, turn, value, whole."""
    n = len(marks)
    line = (torch.arange(CELLS) + 0.5) * STRIDE - 0.5
    hill, near = torch.zeros(n, CELLS, CELLS), torch.zeros(n, CELLS, CELLS)
    counted = torch.ones(n, CELLS, CELLS)
    value = torch.zeros(n, CELLS, CELLS, dtype=torch.long)
    size, turn = torch.zeros(n, CELLS, CELLS), torch.zeros(n, 2, CELLS, CELLS)
    for k in range(marks.shape[1]):
        x, y, side, angle, shown, whole = (part.view(n, 1, 1) for part in marks[:, k].unbind(1))
        far = torch.hypot(line.view(1, 1, -1) - x, line.view(1, -1, 1) - y)
        counted = torch.where((side > 0) & (whole == 0) & (far < 1.2 * side), 0.0, counted)
        spread = (0.11 * side).clamp(min=2.6)
        peak = torch.exp(-((far / spread) ** 2) / 2) * ((side > 0) & (whole > 0))
        # The middle's own cell is the top of its hill.
        top = (far <= far.amin((1, 2), keepdim=True)) & (side > 0) & (whole > 0)
        peak = torch.where(top, 1.0, peak)
        mine = peak > hill
        hill = torch.where(mine, peak, hill)
        near = torch.where(mine & (peak > 0.4), peak, near)
        value = torch.where(mine, shown.long(), value)
        size = torch.where(mine, torch.log(side.clamp(min=1) / UNIT_PX), size)
        turn = torch.where(mine[:, None], torch.stack([torch.cos(4 * angle), torch.sin(4 * angle)], 1), turn)
    return Wanted(hill, torch.where(hill == 1, 1.0, counted), near, value, size, turn)


def loss_of(out: Tensor, wanted: Wanted) -> Tensor:
    """A focal loss of the hills, cross entropy of the classes, and distances of sizes and turns."""
    chance = torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4)
    is_top = wanted.hill == 1
    missed = -((1 - chance) ** 2) * torch.log(chance) * is_top
    invented = -(chance**2) * ((1 - wanted.hill) ** 4) * torch.log(1 - chance) * ~is_top
    hills = ((missed + invented) * wanted.counted).sum() / is_top.sum().clamp(min=1)
    total = wanted.near.sum().clamp(min=1)
    classes = functional.cross_entropy(out[:, 1 : 1 + CLASSES], wanted.value, reduction="none")
    sizes = functional.smooth_l1_loss(out[:, 1 + CLASSES], wanted.size, reduction="none", beta=0.1)
    turns = functional.mse_loss(out[:, 2 + CLASSES :], wanted.turn, reduction="none").sum(1)
    return hills + ((classes + sizes + 0.15 * turns) * wanted.near).sum() / total


def augmented(pictures: Tensor, marks: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """The batch mirrored as one, and each picture (3, H, W) 0..255 under other light and colours."""
    marks = marks.clone()
    for axis in (0, 1):
        if rng.random() < 0.5:
            pictures = pictures.flip(3 - axis)
            marks[:, :, axis] = TILE - 1 - marks[:, :, axis]
            marks[:, :, 3] = -marks[:, :, 3]
    if rng.random() < 0.5:
        pictures = pictures.transpose(2, 3)
        marks[:, :, [0, 1]] = marks[:, :, [1, 0]]
        marks[:, :, 3] = -marks[:, :, 3]
    pictures = pictures[:, torch.from_numpy(rng.permutation(3))] if rng.random() < 0.4 else pictures
    n = len(pictures)
    grey = pictures.mean(1, keepdim=True)
    colourful = torch.from_numpy(rng.choice([0.0, 1.0, 0.6, 1.3], n, p=[0.1, 0.5, 0.2, 0.2])).float()
    pictures = grey + (pictures - grey) * colourful.view(n, 1, 1, 1)
    gain = np.exp(rng.normal(0, 0.1, (n, 3, 1, 1)) + rng.normal(0, 0.22, (n, 1, 1, 1)))
    pictures = (pictures * torch.from_numpy(gain).float()).clamp(0, 255)
    inverse = torch.from_numpy(rng.random(n) < 0.06).view(n, 1, 1, 1)
    return torch.where(inverse, 255 - pictures, pictures), marks


@dataclass(frozen=True, slots=True)
class Tiles:
    """Pictures (N, TILE, TILE, 3) uint8 and marks (N, K, 6)."""

    pictures: Tensor
    marks: Tensor


def load(paths: Sequence[Path]) -> Tiles:
    """All tiles of the files."""
    files = [np.load(path) for path in paths]
    pictures = np.concatenate([file["pictures"] for file in files])
    marks = np.concatenate([file["marks"] for file in files])
    return Tiles(torch.from_numpy(pictures).permute(0, 3, 1, 2), torch.from_numpy(marks))


def train(data: Tiles, seed: int, minutes: float, rate: float, state: Path, start: Path | None) -> DiceNet:
    """Train for so long, the rate rising and falling with the time spent; the state is written after every epoch."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = DiceNet()
    if start is not None:
        net.load_state_dict(torch.load(start))
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    began, spent, epoch = time.perf_counter(), 0.0, 0
    taught = len(data.pictures) - KEPT_BACK
    while spent < 1:
        net.train()
        order, losses = rng.permutation(taught), []
        for first in range(0, taught - BATCH + 1, BATCH):
            spent = (time.perf_counter() - began) / (60 * minutes)
            if spent >= 1:
                break
            optimiser.param_groups[0]["lr"] = rate * min(1.0, 20 * spent + 0.02, 1.01 - spent)
            chosen = torch.from_numpy(order[first : first + BATCH])
            pictures, marks = augmented(data.pictures[chosen].float(), data.marks[chosen], rng)
            optimiser.zero_grad()
            seen = (pictures / 127.5 - 1).contiguous(memory_format=torch.channels_last)
            loss = loss_of(net(seen), wanted_of(marks))
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            losses.append(loss.item())
        epoch += 1
        torch.save(net.state_dict(), state)
        seen_loss, right = watched(net, data)
        minute = (time.perf_counter() - began) / 60
        print(
            f"epoch {epoch}: loss {np.mean(losses):.3f}, unseen {seen_loss:.3f}, right {right:.3f}, {minute:.1f} min",
            flush=True,
        )
    return net


def watched(net: DiceNet, data: Tiles) -> tuple[float, float]:
    """The loss on the tiles that were kept back, and the share of their dice whose class is right at the middle."""
    net.eval()
    losses, right, count = [], 0, 0
    with torch.inference_mode():
        for first in range(len(data.pictures) - KEPT_BACK, len(data.pictures), BATCH):
            out = net(data.pictures[first : first + BATCH].float() / 127.5 - 1)
            wanted = wanted_of(data.marks[first : first + BATCH])
            losses.append(loss_of(out, wanted).item())
            at = wanted.hill == 1
            right += int((out[:, 1 : 1 + CLASSES].argmax(1)[at] == wanted.value[at]).sum())
            count += int(at.sum())
    return float(np.mean(losses)), right / max(1, count)


def export(net: DiceNet, path: Path) -> None:
    """Write the network as ONNX, opset 12, for batches of pictures of any size whose sides are multiples of 16."""
    axes = {0: "n", 2: "h", 3: "w"}
    torch.onnx.export(
        FromPixels(net).eval(), (torch.zeros(1, 3, TILE, TILE),), str(path), input_names=["pictures"],
        output_names=["maps"], opset_version=12, dynamo=False, dynamic_axes={"pictures": axes, "maps": axes},
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write the model, and beside it its state, to go on from."""
    parser = argparse.ArgumentParser(description="Train the dice finder.")
    parser.add_argument("--tiles", type=Path, nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--rate", type=float, default=3e-3, help="peak learning rate")
    parser.add_argument("--start", type=Path, help="state file of an earlier run to go on from")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    wanted = parser.parse_args(arguments)
    torch.set_num_threads(wanted.threads)
    net = train(
        load(wanted.tiles), wanted.seed, wanted.minutes, wanted.rate, wanted.out.with_suffix(".pt"), wanted.start
    )
    export(net, wanted.out)
    print(f"{sum(p.numel() for p in net.parameters())} weights")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
