#!/usr/bin/python3
"""The plain PyTorch program that our trainer is measured against: EmbeddingBag, squared clipped ReLU, Linear, Adam.

    tests/benchmarks/plain_pytorch.py POSITIONS [--threads 1] [--seconds 10]          positions per second of its step alone
    tests/benchmarks/plain_pytorch.py POSITIONS --epochs 4 [--seed 1] [--scale-cp N]  validation loss after each epoch

POSITIONS: a file of positions_file.py. Batches are tensors in memory before the clock starts. Needs Debian's python3-torch.
"""

import argparse
import math
import sys
import time

sys.dont_write_bytecode = True
try:
    import torch
except ImportError:
    sys.exit("plain_pytorch: PyTorch is missing; apt-get install --no-install-recommends python3-torch, and start this "
             "with /usr/bin/python3")
from positions_file import read_positions  # noqa: E402


class PlainNet(torch.nn.Module):
    """(inputs -> hidden) x 2 -> SCReLU -> 1; first weights drawn as widely as ours are."""

    def __init__(self, inputs, hidden):
        super().__init__()
        self.features = torch.nn.EmbeddingBag(inputs, hidden, mode="sum")
        self.bias = torch.nn.Parameter(torch.full((hidden,), 0.3))
        self.output = torch.nn.Linear(2 * hidden, 1)
        torch.nn.init.uniform_(self.features.weight, -0.1, 0.1)
        torch.nn.init.uniform_(self.output.weight, -math.sqrt(1 / hidden), math.sqrt(1 / hidden))
        torch.nn.init.zeros_(self.output.bias)

    def forward(self, active, offsets):
        views = self.features(active, offsets) + self.bias
        both = views.view(len(offsets) // 2, -1)
        return self.output(both.clamp(0, 1).square()).squeeze(1)


class Data:
    """The positions as tensors; whole batches of them are picked by their numbers."""

    def __init__(self, path, scale_cp, result_weight):
        positions = read_positions(path)
        self.inputs = positions.inputs
        self.count = len(positions.score_cp_stm)
        self.offsets = torch.from_numpy(positions.offsets.astype("int64"))
        self.active = torch.from_numpy(positions.active.astype("int16"))
        score = torch.from_numpy(positions.score_cp_stm)
        result = torch.from_numpy(positions.result_stm)
        self.targets = result_weight * result + (1 - result_weight) * torch.sigmoid(score / scale_cp)
        validation = torch.from_numpy(positions.validation)
        self.training = torch.nonzero(validation == 0).squeeze(1)
        self.validation = torch.nonzero(validation == 1).squeeze(1)

    def batch(self, numbers):
        """Active inputs, offsets of the views, targets."""
        views = torch.stack((2 * numbers, 2 * numbers + 1), 1).flatten()
        first = self.offsets[views]
        lengths = self.offsets[views + 1] - first
        starts = torch.cumsum(lengths, 0) - lengths
        places = torch.arange(int(lengths.sum())) + torch.repeat_interleave(first - starts, lengths)
        return self.active[places].long(), starts, self.targets[numbers]


def step(net, optimizer, batch):
    active, offsets, targets = batch
    optimizer.zero_grad()
    loss = (torch.sigmoid(net(active, offsets)) - targets).square().mean()
    loss.backward()
    optimizer.step()
    return loss


def measure(net, optimizer, data, call):
    batches = [data.batch(data.training[first:first + call.batch])
               for first in range(0, len(data.training) - call.batch + 1, call.batch)]
    if not batches:
        sys.exit(f"plain_pytorch: {len(data.training)} positions fill no batch of {call.batch}")
    step(net, optimizer, batches[0])
    steps, start, used = 0, time.monotonic(), time.process_time()
    while steps < 2 or time.monotonic() - start < call.seconds:
        loss = step(net, optimizer, batches[steps % len(batches)])
        steps += 1
    seconds, processor = time.monotonic() - start, time.process_time() - used
    print(f"{steps * call.batch / seconds:.0f} positions/s, {processor / seconds:.2f} threads busy, loss {loss.item():.6f}")


def learning_rate(call, number, steps):
    """A straight rise, then half a cosine, as in trainer/schedules.h."""
    warmup = min(call.warmup_steps, steps // 10)
    if number < warmup:
        return call.lr * (number + 1) / (warmup + 1)
    return call.lr_end + (call.lr - call.lr_end) * 0.5 * (1 + math.cos(math.pi * (number - warmup) / (steps - warmup)))


def validation_loss(net, data):
    total = 0.0
    with torch.no_grad():
        for numbers in torch.split(data.validation, 16384):
            active, offsets, targets = data.batch(numbers)
            total += (torch.sigmoid(net(active, offsets)) - targets).square().sum().item()
    return total / len(data.validation)


def train(net, optimizer, data, call):
    steps_per_epoch = len(data.training) // call.batch
    for epoch in range(call.epochs):
        order = data.training[torch.randperm(len(data.training))]
        for number in range(steps_per_epoch):
            rate = learning_rate(call, epoch * steps_per_epoch + number, steps_per_epoch * call.epochs)
            for group in optimizer.param_groups:
                group["lr"] = rate
            step(net, optimizer, data.batch(order[number * call.batch:(number + 1) * call.batch]))
        print(f"epoch {epoch + 1}: validation loss {validation_loss(net, data):.6f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10, help="how long the step is measured")
    parser.add_argument("--epochs", type=int, default=0, help="train that long instead of measuring")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--lr-end", type=float, default=2e-6)
    parser.add_argument("--warmup-steps", type=int, default=100)
    parser.add_argument("--weight-decay", type=float, default=0, help="above 0: AdamW")
    parser.add_argument("--scale-cp", type=float, default=400)
    parser.add_argument("--result-weight", type=float, default=0.3)
    call = parser.parse_args()
    torch.set_num_threads(call.threads)
    torch.manual_seed(call.seed)
    data = Data(call.positions, call.scale_cp, call.result_weight)
    net = PlainNet(data.inputs, call.hidden)
    if call.weight_decay > 0:
        optimizer = torch.optim.AdamW(net.parameters(), lr=call.lr, weight_decay=call.weight_decay)
    else:
        optimizer = torch.optim.Adam(net.parameters(), lr=call.lr)
    if call.epochs > 0:
        train(net, optimizer, data, call)
    else:
        measure(net, optimizer, data, call)


if __name__ == "__main__":
    main()
