"""Trains the digit network and writes it as ONNX beside the figures the run-time reader needs.

`python -m vision.training.crops` makes the data; then

    python -m vision.training.digitnet --seed 1 --data TRAIN... --held-out HELD_OUT --out vision/models/digits.onnx

trains, sets the temperature and the prototypes on the held-out crops and prints the held-out accuracy. `--smoke` does
all of it on a few hundred crops made on the spot.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from companion.sight import OTHER
from vision.recognise import FACES, unit
from vision.training.crops import generate

FEATURES = 32
TURNS = 4
PROTOTYPES = 8
"""For each face."""


def _block(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class DigitNet(nn.Module):
    """Crops (N, 3, 64, 64), BGR, 0 to 255, to logits (N, 8) and features (N, 32).

    The first layer takes 5 x 5 pixels in steps of 2; three poolings halve the picture again, to 4 x 4.
    """

    def __init__(self, widths: tuple[int, int, int, int, int] = (8, 16, 32, 64, 96)) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.stem = nn.Sequential(nn.Conv2d(3, a, 5, 2, 2, bias=False), nn.BatchNorm2d(a), nn.ReLU())
        self.body = nn.Sequential(
            _block(a, b), nn.MaxPool2d(2),
            _block(b, c), nn.MaxPool2d(2),
            _block(c, d), nn.MaxPool2d(2),
            _block(d, e), nn.Dropout(0.1),
        )  # fmt: skip
        self.feature = nn.Linear(e * 16, FEATURES)
        self.head = nn.Linear(FEATURES, len(FACES))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """See the class."""
        x = self.stem(crops / 64 - 2)
        feature = self.feature(torch.flatten(self.body(x), 1))
        return self.head(functional.relu(feature)), feature


def augmented(crops: Tensor, generator: torch.Generator) -> Tensor:
    """Turns, inversion and strange colours, (N, 3, 64, 64) float: colour must never tell the value."""
    count = len(crops)
    turns = torch.randint(0, 4, (1,), generator=generator)
    x = torch.rot90(crops, int(turns), (2, 3))
    mix = torch.eye(3) + 0.25 * torch.randn(count, 3, 3, generator=generator)
    grey = torch.rand(count, 1, 1, generator=generator) < 0.15
    mix = torch.where(grey, torch.full((3, 3), 1 / 3), mix)
    mix = mix / mix.sum(2, keepdim=True)
    order = torch.randperm(3, generator=generator)
    x = torch.einsum("nij,njhw->nihw", mix, x[:, order])
    sign = torch.where(torch.rand(count, 1, 1, 1, generator=generator) < 0.2, -1.0, 1.0)
    gain = torch.exp(0.2 * torch.randn(count, 1, 1, 1, generator=generator)) * sign
    shift = 15 * torch.randn(count, 1, 1, 1, generator=generator)
    return ((x - 127.5) * gain + 127.5 + shift).clamp(0, 255)


def as_tensor(crops: NDArray[np.uint8]) -> Tensor:
    """(N, 64, 64, 3) uint8 to (N, 3, 64, 64) float32."""
    return torch.from_numpy(np.ascontiguousarray(crops.transpose(0, 3, 1, 2))).float()


def random_batches(
    crops: NDArray[np.uint8], labels: NDArray[np.uint8], size: int, seed: int
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Batches drawn at random, without end."""
    rng = np.random.default_rng(seed)
    while True:
        pick = rng.integers(0, len(crops), size)
        yield crops[pick], labels[pick]


def train(
    batches: Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]], steps: int, seed: int,
    start: DigitNet | None = None, peak: float = 3e-3, seconds: float = math.inf,
) -> DigitNet:  # fmt: skip
    """Fits a network; the learning rate rises, then falls along a cosine over `steps`, or over `seconds` if sooner."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    net = (start or DigitNet()).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=0.02)
    net.train()
    begun, running = time.monotonic(), 0.0
    for step, (crops, labels) in zip(range(steps), batches, strict=False):
        share = max(step / steps, (time.monotonic() - begun) / seconds)
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = peak * min(1, (step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * share))
        seen = augmented(as_tensor(crops), generator).contiguous(memory_format=torch.channels_last)
        loss = functional.cross_entropy(net(seen)[0], torch.from_numpy(labels.astype(np.int64)))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        running += max(0.01, 1 / (step + 1)) * (loss.item() - running)
        if step % 500 == 499:
            print(f"step {step + 1} of {steps}, loss {running:.4f}, {time.monotonic() - begun:.0f} s", flush=True)
    return net.eval()


def turned(net: DigitNet, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Logits (N, 4, 8) and features (N, 4, 32) in the four turns."""
    logits, features = [], []
    with torch.inference_mode():
        for start in range(0, len(crops), 256):
            part = as_tensor(crops[start : start + 256])
            outputs = [net(torch.rot90(part, turn, (2, 3))) for turn in range(TURNS)]
            logits.append(torch.stack([o[0] for o in outputs], 1).numpy())
            features.append(torch.stack([o[1] for o in outputs], 1).numpy())
    return np.concatenate(logits), np.concatenate(features)


def fitted_temperature(logits: NDArray[np.float32], labels: NDArray[np.uint8]) -> float:
    """The temperature under which the mean of the turns' logits (N, 4, 8) is most likely given the labels."""
    mean = logits.mean(1)
    best, least = 1.0, math.inf
    for temperature in np.geomspace(0.3, 4, 60):
        scaled = mean / temperature
        scaled = scaled - scaled.max(1, keepdims=True)
        losses = np.log(np.exp(scaled).sum(1)) - scaled[np.arange(len(labels)), labels]
        if losses.mean() < least:
            best, least = float(temperature), float(losses.mean())
    return best


def _centres(points: NDArray[np.float32], count: int, rounds: int = 20) -> NDArray[np.float32]:
    """Lloyd's k-means of points (N, D), started from points spread over the set; (count, D)."""
    count = min(count, len(points))
    centres = points[np.linspace(0, len(points) - 1, count).astype(int)]
    for _ in range(rounds):
        nearest = np.linalg.norm(points[:, None] - centres, axis=2).argmin(1)
        centres = np.stack([points[nearest == k].mean(0) if (nearest == k).any() else centres[k] for k in range(count)])
    return centres


def prototypes(features: NDArray[np.float32], labels: NDArray[np.uint8]) -> dict[str, object]:
    """The figures of `vision.recognise.Figures` that tell known faces from strange ones, from features (N, 4, 32).

    A face looks different in different layouts: it has several prototypes.
    """
    directions = unit(features.mean(1))
    of_face = [directions[labels == face] for face in range(len(FACES)) if (labels == face).any()]
    means = unit(np.concatenate([_centres(points, PROTOTYPES) for points in of_face]))
    distance = 1 - (directions @ means.T).max(1)
    reach = float(np.quantile(distance[labels != FACES.index(OTHER)], 0.99))
    return {"reach": round(reach, 5), "prototypes": means.round(4).tolist()}


def export(net: DigitNet, path: Path) -> None:
    """Writes the network as ONNX with any batch size, plain operators only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net, (torch.zeros(4, 3, 64, 64),), str(path), input_names=["crops"], output_names=["logits", "features"],
        dynamic_axes={name: {0: "count"} for name in ("crops", "logits", "features")}, opset_version=12, dynamo=False,
    )  # fmt: skip


def weights(net: DigitNet) -> int:
    """Number of trained numbers."""
    return sum(parameter.numel() for parameter in net.parameters())


def load(folders: list[Path]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Crops and labels of all the folders, one after another."""
    crops = np.concatenate([np.load(folder / "crops.npy") for folder in folders])
    return crops, np.concatenate([np.load(folder / "labels.npy") for folder in folders])


def report(net: DigitNet, crops: NDArray[np.uint8], labels: NDArray[np.uint8]) -> dict[str, object]:
    """Prints the accuracy over four turns; returns the figures that belong to these weights."""
    logits, features = turned(net, crops)
    guesses = logits.mean(1).argmax(1)
    print(f"{weights(net)} weights; held-out accuracy {100 * (guesses == labels).mean():.2f} % of {len(labels)}")
    for face, name in enumerate(FACES):
        of = labels == face
        counts = np.bincount(guesses[of], minlength=len(FACES))
        print(f"  {name}: {100 * counts[face] / max(of.sum(), 1):6.2f} %  {counts.tolist()}")
    return {"temperature": fitted_temperature(logits, labels), **prototypes(features, labels)}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", help="folders of training crops")
    parser.add_argument("--held-out", type=Path, nargs="+", help="folders of crops of typefaces never trained on")
    parser.add_argument("--out", type=Path, required=True, help="the ONNX file; figures go beside it as .json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=15000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop by the clock")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--peak", type=float, default=3e-3, help="highest learning rate")
    parser.add_argument("--smoke", action="store_true", help="a few steps on a few crops, to see that all of it runs")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    cv2.setNumThreads(1)
    if arguments.smoke:
        crops, labels, _ = generate(arguments.seed, 400)
        held_crops, held_labels, _ = generate(arguments.seed, 200, held_out=True)
        arguments.steps = 30
    else:
        crops, labels = load(arguments.data)
        held_crops, held_labels = load(arguments.held_out)
    start = None
    if arguments.start:
        start = DigitNet()
        start.load_state_dict(torch.load(arguments.start))
    batches = random_batches(crops, labels, arguments.batch, arguments.seed)
    net = train(batches, arguments.steps, arguments.seed, start, arguments.peak, arguments.seconds)
    figures = report(net, held_crops, held_labels)
    export(net, arguments.out)
    torch.save(net.state_dict(), arguments.out.with_suffix(".pt"))
    figures["sha256"] = hashlib.sha256(arguments.out.read_bytes()).hexdigest()
    arguments.out.with_suffix(".json").write_text(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
