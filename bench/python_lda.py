#!/usr/bin/python3
"""tain.LDA against scikit-learn's LatentDirichletAllocation: time to the same held-out perplexity, one judge for both.

usage: bench/python_lda.py CORPUS [--topics K] [--held-out N] [--passes P] [--tain-passes P,P,...] [--threads N]
                           [--json FILE]

CORPUS is a folder of `tain corpus import`; PYTHONPATH must lead to the package. N of its documents, spread evenly, are kept
from both. Both are fitted on the rest as one CSR matrix of int32 counts that is in memory already, on the same number of
threads or processes (--threads; 0: all).

scikit-learn: learning_method="online" with batches of 128 (its default) and of 1024 documents, once with its own priors
(1/K) and once with tain's; otherwise its defaults. It is judged after every pass of P (default: 10, its max_iter): passes
are calls of partial_fit with total_samples set, which do what fit does; judging is not timed.
tain: its defaults with holdout=0, fits of 1, 2, ... passes, each from the beginning; and online, every document seen once.

Judge: document completion (`tain lda evaluate`): Gibbs on nine tenths of the tokens given the topics and alpha of each
model, perplexity of the rest. scikit-learn's topics are its components_ divided by their row sums.
Times are seconds by the clock and of CPU; those of CPU are of one process, and so compare only with --threads 1.
"""
import argparse
import json
import os
import sys
import time

import numpy as np
import tain
from sklearn.decomposition import LatentDirichletAllocation


class Stopwatch:
    def __init__(self):
        self.wall = self.cpu = 0.0

    def __enter__(self):
        self._begin = time.perf_counter(), time.process_time()

    def __exit__(self, *_):
        self.wall += time.perf_counter() - self._begin[0]
        self.cpu += time.process_time() - self._begin[1]


def split(corpus, count):
    matrix = corpus.matrix()
    held_out = np.arange(count) * matrix.shape[0] // count
    trained = np.setdiff1d(np.arange(matrix.shape[0]), held_out)
    return matrix[trained], matrix[held_out]


def judged(model, topics, alpha, documents):
    """Perplexity of any topics by tain's judge: `model` is a fitted LDA, which lends its words."""
    model.components_, model.alpha_ = topics, alpha
    found = model.evaluate(documents)
    return found.perplexity, found.standard_error


def run_sklearn(train, test, judge, options, arguments):
    peer = LatentDirichletAllocation(
        arguments.topics, total_samples=train.shape[0], n_jobs=arguments.threads or -1, random_state=1, **options
    )
    watch = Stopwatch()
    alpha = np.full(arguments.topics, options.get("doc_topic_prior", 1 / arguments.topics), np.float32)
    points = []
    for number in range(1, arguments.passes + 1):
        with watch:
            peer.partial_fit(train)
        topics = (peer.components_ / peer.components_.sum(axis=1, keepdims=True)).astype(np.float32)
        perplexity, error = judged(judge, topics, alpha, test)
        points.append(point(number, watch, perplexity, error))
        show("scikit-learn", options, points[-1])
    return {"options": options, "points": points}


def run_tain(train, test, arguments):
    points = []
    for options in [{"online": True}] + [{"passes": passes, "holdout": 0} for passes in arguments.tain_passes]:
        watch = Stopwatch()
        with watch:
            lda = tain.LDA(arguments.topics, threads=arguments.threads, progress=False, **options).fit(train)
            lda.components_  # a stream makes them when they are asked for
        found = lda.evaluate(test)
        points.append(point(options.get("passes", 1), watch, found.perplexity, found.standard_error))
        show("tain", options, points[-1])
    return points, lda


def point(passes, watch, perplexity, error):
    return {"passes": passes, "seconds": watch.wall, "cpu_seconds": watch.cpu, "perplexity": perplexity,
            "standard_error": error}  # fmt: skip


def show(who, options, found):
    text = ", ".join(f"{name}={value:.4g}" for name, value in options.items())
    print(f"{who:12} {text:60} {found['passes']:5g} passes {found['seconds']:8.1f} s {found['cpu_seconds']:8.1f} s of CPU  "
          f"perplexity {found['perplexity']:7.1f} ± {found['standard_error']:.1f}", flush=True)  # fmt: skip


def ratios(peers, ours):
    """For every peer at its best: its time over that of our first fit that is at least as good."""
    found = []
    for peer in peers:
        best = min(peer["points"], key=lambda point: point["perplexity"])
        as_good = [point for point in ours if point["perplexity"] <= best["perplexity"]]
        first = min(as_good, key=lambda point: point["seconds"]) if as_good else None
        found.append({
            "options": peer["options"],
            "perplexity": best["perplexity"],
            "peer_seconds": best["seconds"],
            "tain": first,
            "times_faster": best["seconds"] / first["seconds"] if first else None,
            "times_less_cpu": best["cpu_seconds"] / first["cpu_seconds"] if first else None,
        })  # fmt: skip
    return found


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--held-out", type=int, default=1000)
    parser.add_argument("--passes", type=int, default=10)
    parser.add_argument("--tain-passes", type=lambda text: [float(p) for p in text.split(",")], default=[1, 2, 3, 5])
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--json")
    return parser.parse_args()


def main():
    arguments = parse()
    corpus = tain.Corpus(arguments.corpus)
    train, test = split(corpus, arguments.held_out)
    print(f"{train.shape[0]} documents of {corpus} to train on, {test.shape[0]} held out; K = {arguments.topics}, "
          f"{arguments.threads or os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)  # fmt: skip
    ours, judge = run_tain(train, test, arguments)
    priors = {"doc_topic_prior": float(judge.alpha_[0]), "topic_word_prior": judge.eta_}
    peers = [
        run_sklearn(train, test, judge, {"batch_size": batch, **prior}, arguments)
        for batch in (1024, 128)
        for prior in ({}, priors)
    ]
    result = {
        "documents": train.shape[0], "words": corpus.words, "tokens": int(train.sum()), "topics": arguments.topics,
        "threads": arguments.threads or os.cpu_count(), "load": os.getloadavg()[0], "tain": ours, "sklearn": peers,
        "ratios": ratios(peers, ours),
    }  # fmt: skip
    for ratio in result["ratios"]:
        if ratio["tain"] is None:
            print(f"{ratio['options']}: tain did not reach {ratio['perplexity']:.1f}")
        else:
            cpu = f", {ratio['times_less_cpu']:.1f} times less CPU" if arguments.threads == 1 else ""
            print(f"{ratio['options']}: perplexity {ratio['perplexity']:.1f} in {ratio['peer_seconds']:.1f} s, tain "
                  f"{ratio['tain']['perplexity']:.1f} in {ratio['tain']['seconds']:.1f} s: {ratio['times_faster']:.1f} times "
                  f"faster{cpu}")  # fmt: skip
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(result, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
