#!/usr/bin/python3
"""Training over ranks on one machine: speed against one process with one thread, memory per rank against the
program's own estimate, bytes on the wire.

usage: bench/lda_ranks.py --tain TAIN [--corpus CORPUS] [--only speed|memory|wire] [--topics K] [--batch N]
                          [--descent-batch N] [--sweeps N] [--start S] [--passes P] [--ranks N,N] [--layouts L,L] [--repeats N]
                          [--json FILE]

TAIN is the program. Speed: `tain lda train --threads 1` by itself and under mpirun, in turns; training_seconds
(evaluations, checkpoints and start left out) by their medians and by the best of each, which a noisy machine disturbs
least; two such processes at a time that know nothing of each other, as the most that the machine allows; and whether topics.npy
has the same bytes.
Memory: K = 1,000 topics of W = 200,000 words, sharded, peak resident memory of every rank (VmHWM) against what the
program says at its start. Wire: ranks that talk by TCP over the loopback device, whose counter tells what went
through it per step, headers included. Without CORPUS a synthetic one. Needs openmpi-bin.
"""
import argparse
import concurrent.futures
import filecmp
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()


def launch(ranks, *options):
    """The words before the program; none for a process by itself."""
    if ranks == 0:
        return []
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpirun", *root, "--oversubscribe", "--bind-to", "core" if ranks <= (os.cpu_count() or 1) else "none", *options, "-np", str(ranks)]


def train(tain, corpus, output, options, ranks, *launching, wrapper=()):
    command = [*launch(ranks, *launching), *wrapper, tain, "lda", "train", corpus, "-o", output, "--force", "--threads",
               "1", *options]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"lda_ranks: {' '.join(map(str, command))} ended with {result.returncode}:\n{result.stderr}")
    return result, json.loads((output / "manifest.json").read_text())


def speed(arguments, corpus, folder):
    options = ["-k", arguments.topics, "--passes", arguments.passes, "--quiet", "--keep-draws", "0"]
    for flag in ("batch", "descent_batch", "sweeps", "start"):
        if getattr(arguments, flag):
            options += [f"--{flag.replace('_', '-')}", getattr(arguments, flag)]
    kinds = [(0, "replicated")] + [(n, layout) for layout in arguments.layouts for n in arguments.ranks]
    seconds, pairs = {kind: [] for kind in kinds}, []
    for _ in range(arguments.repeats):
        for kind in kinds:
            ranks, layout = kind
            output = folder / f"{ranks}-{layout}"
            _, manifest = train(arguments.tain, corpus, output, [*options, "--layout", layout], ranks)
            seconds[kind].append(manifest["training_seconds"])
        with concurrent.futures.ThreadPoolExecutor() as both:
            runs = [both.submit(train, arguments.tain, corpus, folder / f"pair{i}", options, 0) for i in range(2)]
            pairs.append(statistics.mean(run.result()[1]["training_seconds"] for run in runs))
    alone = seconds[kinds[0]]
    rows = []
    for kind in kinds:
        same = filecmp.cmp(folder / "0-replicated" / "topics.npy", folder / f"{kind[0]}-{kind[1]}" / "topics.npy", False)
        speeds = [of(alone) / of(seconds[kind]) for of in (statistics.median, min)]
        rows.append({"ranks": kind[0], "layout": kind[1], "seconds": seconds[kind], "speed": speeds, "same": same})
        print(f"{'alone' if kind[0] == 0 else f'{kind[0]} ranks':<8} {kind[1]:<10} {statistics.median(seconds[kind]):8.3f} s of training "
              f"({min(seconds[kind]):.3f} to {max(seconds[kind]):.3f}), {speeds[0]:5.2f} times one process ({speeds[1]:.2f} by the "
              f"best), {'same bytes' if same else 'OTHER BYTES'}")
    most = [2 * of(alone) / of(pairs) for of in (statistics.median, min)]
    rows.append({"pairs": pairs, "most": most})
    print(f"two processes at a time: {most[0]:.2f} times one ({most[1]:.2f} by the best)")
    return rows


def memory(arguments, folder):
    corpus = folder / "wide"
    subprocess.run(list(map(str, [arguments.tain, "corpus", "synthesize", "--docs", 2000, "--topics", 20, "--vocab-size", 200_000,
                                  "--mean-length", 150, "-o", corpus, "--quiet"])), check=True, stdout=subprocess.DEVNULL)
    options = ["-k", 1000, "--steps", 4, "--start", "random", "--batch", 500, "--layout", "sharded", "--keep-draws", 0, "--holdout",
               20]
    rows = []
    for ranks in [n for n in arguments.ranks if n > 0]:
        result, _ = train(arguments.tain, corpus, folder / "memory", options, ranks, wrapper=["/usr/bin/python3", HERE, "--peak"])
        peaks = [int(kilobytes) * 1024 for kilobytes in re.findall(r"peak (\d+)\b", result.stderr)]
        said = re.search(r"take ([\d.]+) ([KMG]?i?B)", result.stderr)
        rows.append({"ranks": ranks, "peaks": peaks, "said": said.group(0)})
        print(f"{ranks} ranks: peaks of {', '.join(f'{peak / 1e9:.2f} GB' for peak in sorted(peaks))}; "
              f"the program said: {said.group(1)} {said.group(2)}")
    return rows


def loopback_bytes():
    line = next(line for line in pathlib.Path("/proc/net/dev").read_text().splitlines() if line.strip().startswith("lo:"))
    return int(line.split(":")[1].split()[0])


def wire(arguments, corpus, folder):
    """Two runs of different length: their difference leaves out start and end."""
    rows = []
    for layout in arguments.layouts:
        for ranks in [n for n in arguments.ranks if n > 1]:
            found = []
            for passes in (2, 3):
                options = ["-k", arguments.topics, "--start", "documents", "--passes", passes, "--batch", arguments.batch or 1000, "--layout",
                           layout, "--holdout", 0, "--keep-draws", 0, "--quiet"]
                before = loopback_bytes()
                _, manifest = train(arguments.tain, corpus, folder / "wire", options, ranks, "--mca", "btl", "tcp,self", "--mca",
                                    "btl_tcp_if_include", "lo")
                found.append((manifest["steps"], (loopback_bytes() - before) / ranks, manifest["received_bytes"]))
            steps, each, counted = (more - less for less, more in zip(*found))
            rows.append({"ranks": ranks, "layout": layout, "wire": each / steps, "payload": counted / steps})
            print(f"{ranks} ranks {layout:<10} {each / steps:12.0f} bytes on the wire per step and rank; rank 0 counted "
                  f"{counted / steps:.0f}")
    return rows


def main():
    if sys.argv[1:2] == ["--peak"]:  # stands between mpirun and the program
        status = subprocess.run(sys.argv[2:]).returncode
        print(f"peak {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}", file=sys.stderr)
        sys.exit(status)
    numbers = lambda text: [int(part) for part in text.split(",")]
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--tain", required=True, type=pathlib.Path)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--only", choices=["speed", "memory", "wire"])
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--descent-batch", type=int)
    parser.add_argument("--sweeps", type=int)
    parser.add_argument("--start")
    parser.add_argument("--passes", type=float, default=5)
    parser.add_argument("--ranks", type=numbers, default=[1, 2, 4])
    parser.add_argument("--layouts", type=lambda text: text.split(","), default=["replicated", "sharded"])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tain-ranks-") as name:
        folder = pathlib.Path(name)
        corpus = arguments.corpus
        if corpus is None and arguments.only != "memory":
            corpus = folder / "corpus"
            subprocess.run(list(map(str, [arguments.tain, "corpus", "synthesize", "--docs", 20_000, "--topics", 100, "--vocab-size", 8000,
                                          "--mean-length", 230, "-o", corpus, "--quiet"])), check=True, stdout=subprocess.DEVNULL)
        found = {}
        if arguments.only in (None, "speed"):
            found["speed"] = speed(arguments, corpus, folder)
        if arguments.only in (None, "wire"):
            found["wire"] = wire(arguments, corpus, folder)
        if arguments.only in (None, "memory"):
            found["memory"] = memory(arguments, folder)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
