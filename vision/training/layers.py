"""Building blocks that the networks share. Needs the `training` extra (torch)."""

from __future__ import annotations

from torch import Tensor, nn


def convolution(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """A 3 x 3 convolution, batch statistics and ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, padding=dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two 3 x 3 convolutions around a short cut."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = convolution(width, width)
        self.second = convolution(width, width, dilation=dilation)

    def forward(self, x: Tensor) -> Tensor:
        """(N, width, h, w) to the same."""
        change: Tensor = self.second(self.first(x))
        return x + change
