"""Train the card finder: a small fully convolutional network from a photograph to two maps, and write it as ONNX.

Run: python -m vision.training.cardset --seed 1 --count 40 --out SCENES
     python -m vision.training.cardnet --scenes SCENES --seed 1 --epochs 12 --out vision/models/cards.onnx
Needs the `training` extra (torch, onnx).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.cardmap import HEIGHT, STRIDE, WIDTH
from vision.training.cardset import Shard, load
from vision.training.layers import Residual, convolution

BATCH = 8
WHOLE = (HEIGHT, WIDTH)


class CardNet(nn.Module):
    """(N, 3, 480, 640) BGR scaled to -1..1, to logits (N, 2, 120, 160): inside of a card, middle of a card."""

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(convolution(3, 12, 2), convolution(12, 20, 2))
        self.eighth = nn.Sequential(convolution(20, 32, 2), Residual(32))
        self.sixteenth = nn.Sequential(convolution(32, 40, 2), Residual(40, 2))
        self.coarse = nn.Sequential(convolution(40, 44, 2), Residual(44, 2))
        self.side_16 = nn.Conv2d(40, 32, 1)
        self.side_8 = nn.Conv2d(32, 24, 1)
        self.side_4 = nn.Conv2d(20, 20, 1)
        self.down_32 = nn.Conv2d(44, 32, 1)
        self.join_16 = convolution(32, 24)
        self.join_8 = convolution(24, 20)
        self.join_4 = convolution(20, 16)
        self.head = nn.Conv2d(16, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Logits of both maps."""
        quarter = self.quarter(x)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        x = self.join_16(_doubled(self.down_32(self.coarse(sixteenth))) + self.side_16(sixteenth))
        x = self.join_8(_doubled(x) + self.side_8(eighth))
        x = self.join_4(_doubled(x) + self.side_4(quarter))
        logits: Tensor = self.head(x)
        return logits


def _doubled(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class WithSigmoid(nn.Module):
    """The network as it is used: raw BGR 0..255 in, probabilities out."""

    def __init__(self, net: CardNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> Tensor:
        """(N, 3, 480, 640) 0..255 to probabilities (N, 2, 120, 160)."""
        return torch.sigmoid(self.net(x / 127.5 - 1))


def loss_of(logits: Tensor, wanted: Tensor) -> Tensor:
    """Cross entropy of both maps, weighted towards cards, and the dice loss of the insides."""
    weight = torch.tensor([1.0, 8.0]).view(1, 2, 1, 1)
    cross = functional.binary_cross_entropy_with_logits(logits, wanted, weight=1 + weight * wanted)
    inside, want = torch.sigmoid(logits[:, 0]), wanted[:, 0]
    overlap = (inside * want).sum((1, 2)) + 20
    dice = 1 - 2 * overlap / (inside.sum((1, 2)) + want.sum((1, 2)) + 40)
    return cross + 0.3 * dice.mean()


def batches(data: Shard, rng: np.random.Generator, size: tuple[int, int]) -> Iterator[tuple[Tensor, Tensor]]:
    """One epoch in random order, `size` rows and columns of each picture, mirrored and recoloured at random."""
    order = rng.permutation(len(data.pictures))
    for start in range(0, len(order) - BATCH + 1, BATCH):
        chosen = np.sort(order[start : start + BATCH])
        top = STRIDE * int(rng.integers((HEIGHT - size[0]) // STRIDE + 1))
        left = STRIDE * int(rng.integers((WIDTH - size[1]) // STRIDE + 1))
        rows, cols = slice(top, top + size[0]), slice(left, left + size[1])
        few_rows, few_cols = (slice(s.start // STRIDE, s.stop // STRIDE) for s in (rows, cols))
        pictures = torch.from_numpy(data.pictures[chosen, rows, cols]).permute(0, 3, 1, 2).float()
        maps = torch.from_numpy(data.maps[chosen, :, few_rows, few_cols]).float() / 255
        for k in range(BATCH):
            turned = [axis for axis in (1, 2) if rng.random() < 0.5]
            pictures[k], maps[k] = pictures[k].flip(turned), maps[k].flip(turned)
            pictures[k] = recoloured(pictures[k], rng)
        yield (pictures / 127.5 - 1).contiguous(memory_format=torch.channels_last), maps


def recoloured(picture: Tensor, rng: np.random.Generator) -> Tensor:
    """The picture (3, H, W) 0..255 under other light: channel order, gains, contrast, saturation."""
    if rng.random() < 0.3:
        picture = picture[torch.from_numpy(rng.permutation(3))]
    grey = picture.mean(0, keepdim=True)
    picture = grey + (picture - grey) * float(rng.choice([0.0, 1.0, rng.uniform(0.2, 1.4)], p=[0.12, 0.5, 0.38]))
    gain = torch.tensor(np.exp(rng.normal(0, 0.12, 3)), dtype=torch.float32).view(3, 1, 1)
    picture = picture * gain * float(np.exp(rng.normal(0, 0.2)))
    if rng.random() < 0.3:
        picture = 255 * (picture.clamp(0, 255) / 255) ** float(np.exp(rng.normal(0, 0.3)))
    if rng.random() < 0.05:
        picture = 255 - picture
    return picture.clamp(0, 255)


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train: `crop` rows and columns of a picture are seen at first, all of it in the last `whole` epochs.

    `kept_back` scenes, the last ones, only serve to watch the loss; `start` is a state file to go on from.
    """

    seed: int
    epochs: int
    whole: int
    crop: tuple[int, int]
    rate: float
    kept_back: int
    start: Path | None


def train(data: Shard, plan: Plan, state: Path) -> CardNet:
    """Train as planned, and write the state after every epoch."""
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    net = CardNet()
    if plan.start is not None:
        net.load_state_dict(torch.load(plan.start))
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    taught = Shard(data.pictures[: -plan.kept_back], data.maps[: -plan.kept_back])
    watched = Shard(data.pictures[-plan.kept_back :], data.maps[-plan.kept_back :])
    steps = plan.epochs * (len(taught.pictures) // BATCH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, total_steps=steps, pct_start=0.15)
    for epoch in range(plan.epochs):
        net.train()
        began, losses = time.perf_counter(), []
        for pictures, maps in batches(taught, rng, WHOLE if epoch >= plan.epochs - plan.whole else plan.crop):
            optimiser.zero_grad()
            loss = loss_of(net(pictures), maps)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        seen = watched_loss(net, watched)
        torch.save(net.state_dict(), state)
        spent = time.perf_counter() - began
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, unseen {seen:.4f}, {spent:.0f} s", flush=True)
    return net


def watched_loss(net: CardNet, watched: Shard) -> float:
    """The loss on scenes that were kept back, as they are."""
    net.eval()
    losses = []
    with torch.inference_mode():
        for k in range(0, len(watched.pictures), BATCH):
            pictures = torch.from_numpy(watched.pictures[k : k + BATCH]).permute(0, 3, 1, 2).float() / 127.5 - 1
            losses.append(loss_of(net(pictures), torch.from_numpy(watched.maps[k : k + BATCH]).float() / 255).item())
    return float(np.mean(losses))


def export(net: CardNet, path: Path) -> None:
    """Write the network with its sigmoid as ONNX, opset 12, for pictures of exactly 640 x 480."""
    whole = WithSigmoid(net).eval()
    example = torch.zeros(1, 3, HEIGHT, WIDTH)
    torch.onnx.export(
        whole, (example,), str(path), input_names=["picture"], output_names=["maps"], opset_version=12, dynamo=False
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write the model, and beside it its state, to go on from."""
    parser = argparse.ArgumentParser(description="Train the card finder.")
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--whole", type=int, default=2, help="how many of the epochs see whole pictures")
    parser.add_argument("--crop", type=int, nargs=2, default=(352, 448), help="rows and columns; multiples of 32")
    parser.add_argument("--rate", type=float, default=4e-3, help="peak learning rate")
    parser.add_argument("--kept-back", type=int, default=48, help="scenes that only watch the loss")
    parser.add_argument("--start", type=Path, help="state file of an earlier run to go on from")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    wanted = parser.parse_args(arguments)
    torch.set_num_threads(wanted.threads)
    plan = Plan(
        wanted.seed, wanted.epochs, wanted.whole, (wanted.crop[0], wanted.crop[1]), wanted.rate, wanted.kept_back,
        wanted.start,
    )  # fmt: skip
    net = train(load(wanted.scenes), plan, wanted.out.with_suffix(".pt"))
    export(net, wanted.out)
    print(f"{sum(p.numel() for p in net.parameters())} weights")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
