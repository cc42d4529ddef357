#!/usr/bin/env python3
"""Trainings over ranks leave the bytes of one process, and so do samples.

usage: same_bits.py PROGRAM smoke|all

smoke: two ranks, a training and a sample. all: 1 to 4 ranks, both layouts, the samplers and phases that keep state of
their own; a checkpoint that goes on with other numbers of ranks in the other layout; netCDF, CSV and npy.
"""
import itertools
import pathlib
import shutil
import sys
import tempfile

from launcher import done, same_bytes

TAIN, EXTENT = sys.argv[1:]
TRAIN = ("-k", "12", "--batch", "40", "--holdout", "60", "--eval-every", "400", "--threads", "1", "--quiet")
FILES = ("topics.npy", "dual.npy", "draws.npy", "vocab.txt")
# What differs in how it goes over ranks: topics of tokens kept or fresh, weights of other kinds, a fitted alpha.
WAYS = {
    "default": (),
    "fresh": ("--method", "smld", "--assignments", "fresh"),
    "scir": ("--method", "scir"),
    "gibbs": ("--method", "gibbs", "--optimize-alpha"),
    "alpha": ("--optimize-alpha",),
}
LAYOUTS = ("replicated", "sharded")


class Trainings:
    def __init__(self, folder, passes):
        self.folder, self.passes = folder, passes
        done(0, TAIN, "corpus", "synthesize", "--docs", "700", "--topics", "8", "--vocab-size", "400", "--mean-length", "40",
             "-o", folder / "corpus", "--quiet")

    def train(self, name, ranks, *options, passes=None):
        done(ranks, TAIN, "lda", "train", self.folder / "corpus", *TRAIN, "--passes", passes or self.passes, *options,
             "-o", self.folder / name)
        return self.folder / name

    def compare(self, whole, other, what):
        for file in FILES:
            assert same_bytes(whole / file, other / file), f"{file} differs: {what}"
        parts = [path.name for path in other.iterdir() if path.name not in {entry.name for entry in whole.iterdir()}]
        assert all(name.endswith(".part") for name in parts), f"{parts} is left: {what}"
        shutil.rmtree(other)


def same_for_all_ranks(trainings, ways, ranks):
    for way in ways:
        whole = trainings.train(f"whole-{way}", 0, *WAYS[way])
        for count, layout in itertools.product(ranks, LAYOUTS):
            other = trainings.train("other", count, *WAYS[way], "--layout", layout)
            trainings.compare(whole, other, f"{way}, {count} ranks, {layout}")


def same_after_a_change_of_ranks(trainings):
    """A training that goes on again and again, each time on other ranks, is that of one process which went on at the same steps."""
    stages = ((3, "sharded"), (2, "replicated"), (4, "sharded"), (0, "replicated"))
    fixed = ("--descent", "200", "--burn-in", "300")
    whole, other = None, None
    for number, (ranks, layout) in enumerate(stages, 1):
        resume = ("--resume",) if number > 1 else ()
        whole = trainings.train("whole-stages", 0, *fixed, *resume, passes=number)
        other = trainings.train("stages", ranks, *fixed, *resume, "--layout", layout, passes=number)
        for file in FILES:
            assert same_bytes(whole / file, other / file), f"{file} differs at stage {number}"


def same_samples(folder, ranks, formats):
    run = (TAIN, "sample", "--target", "dirichlet", "--counts", "12,3,0,5", "--chains", "7", "--draws", "200", "--warmup",
           "200", "--quiet")
    for kind in formats:
        printed = done(0, *run, "-o", folder / f"whole.{kind}")
        for count in ranks:
            other = folder / f"other{count}.{kind}"
            assert done(count, *run, "-o", other) == printed, f"{count} ranks print something else"
            assert same_bytes(folder / f"whole.{kind}", other), f"{kind} differs: {count} ranks"


def main():
    with tempfile.TemporaryDirectory(prefix="tain-ranks-") as name:
        folder = pathlib.Path(name)
        if EXTENT == "smoke":
            same_for_all_ranks(Trainings(folder, 1), ("default",), (2,))
            same_samples(folder, (2,), ("nc",))
        else:
            trainings = Trainings(folder, 2)
            same_for_all_ranks(trainings, WAYS, (1, 2, 3, 4))
            same_after_a_change_of_ranks(trainings)
            same_samples(folder, (1, 2, 3, 4), ("nc", "csv", "npy"))
    print("the same bytes")


main()
