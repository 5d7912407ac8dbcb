"""Encoded positions as one plain binary file, which plain_pytorch.py and our own benchmark both read.

Little-endian: the 8 letters FARPOS01; three int64: inputs, positions, active inputs in all; int32 offsets[2 * positions + 1]
(views: side to move, then the other, position after position); uint16 active inputs; float32 scores in centipawns and
float32 results (1, 0.5, 0), both for the side to move; uint8 1 for a validation position, 0 for a training one.
"""

import sys

import numpy

MAGIC = b"FARPOS01"


class Positions:
    """The file's arrays."""

    def __init__(self, inputs, offsets, active, score_cp_stm, result_stm, validation):
        self.inputs = inputs
        self.offsets = offsets
        self.active = active
        self.score_cp_stm = score_cp_stm
        self.result_stm = result_stm
        self.validation = validation

    def write(self, path):
        with open(path, "wb") as file:
            file.write(MAGIC)
            numpy.array([self.inputs, len(self.score_cp_stm), len(self.active)], "<i8").tofile(file)
            for values, kind in ((self.offsets, "<i4"), (self.active, "<u2"), (self.score_cp_stm, "<f4"),
                                 (self.result_stm, "<f4"), (self.validation, "u1")):
                values.astype(kind).tofile(file)


def read_positions(path):
    """Ends the program with a sentence if the file is none of these."""
    with open(path, "rb") as file:
        if file.read(8) != MAGIC:
            sys.exit(f"{path}: holds no encoded positions; make it with farrier_positions_dump")
        inputs, count, active = numpy.fromfile(file, "<i8", 3)
        return Positions(int(inputs), numpy.fromfile(file, "<i4", 2 * count + 1), numpy.fromfile(file, "<u2", active),
                         numpy.fromfile(file, "<f4", count), numpy.fromfile(file, "<f4", count),
                         numpy.fromfile(file, "u1", count))


def random_positions(count, inputs=828, active=34, seed=1):
    """Positions in the shape of real ones: each view has `active` different inputs, of which some are far commoner than
    others (an input's chance falls with the square root of its rank, as board squares and men in hand do roughly)."""
    rng = numpy.random.default_rng(seed)
    chances = 1 / numpy.sqrt(1 + rng.permutation(inputs))
    views = numpy.empty((2 * count, active), numpy.uint16)
    for first in range(0, 2 * count, 4096):
        rows = views[first:first + 4096]
        # The least of exponential waiting times: a draw without replacement by those chances.
        times = rng.exponential(size=(len(rows), inputs)) / chances
        rows[:] = numpy.argpartition(times, active, axis=1)[:, :active]
    score = rng.normal(scale=300, size=count)
    result = numpy.clip(numpy.round(score / 300 + rng.normal(size=count)), -1, 1) / 2 + 0.5
    offsets = numpy.arange(2 * count + 1) * active
    return Positions(inputs, offsets, views.ravel(), score, result, numpy.zeros(count))
