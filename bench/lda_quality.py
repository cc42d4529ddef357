#!/usr/bin/python3
"""Speed at quality: perplexity against CPU seconds for `tain lda train` and its peers, one judge for all.

usage: bench/lda_quality.py --tain TAIN --score LDA_SCORE --train CORPUS --test CORPUS [--topics K] [--passes P,P,...]
                            [--method M] [--peer-passes N] [--no-peers] [--only quality|growth] [--json FILE] [--svg FILE]
       bench/lda_quality.py --tain TAIN --only growth [--json FILE]

TAIN is the program, LDA_SCORE the program tain_bench_lda_score, the corpora are folders of `tain corpus import` with
one vocabulary. Everybody's topic matrix is scored by LDA_SCORE (fold-in by expectation maximisation; every 10th token
predicted). tain is timed as a whole process, on one thread and on two; gensim's LdaModel and scikit-learn's
LatentDirichletAllocation (online) inside theirs, without imports and without reading the documents, on one core. Peers that are
not installed are left out (Debian: python3-gensim, python3-sklearn).
Growth: CPU seconds per document of `tain lda train` against the size of the corpus, the number of topics and of words, on
synthetic corpora; the difference of two runs of different length, so that starting up does not count.
"""
import argparse
import array
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

READ = """
import json, os, sys, time
import numpy
path, words, topics, out, options = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], json.loads(sys.argv[5])
bags = []
with open(path) as lines:
    for line in lines:
        bags.append([(int(w), int(n)) for w, n in (pair.split(':') for pair in line.split()[1:])])
def begin():
    global wall, cpu
    wall, cpu = time.perf_counter(), time.process_time()
def end(matrix):
    print(json.dumps({'wall': time.perf_counter() - wall, 'cpu': time.process_time() - cpu}))
    numpy.save(out, numpy.ascontiguousarray(matrix, dtype=numpy.float32))
"""
GENSIM = READ + """
from gensim.models import LdaModel
begin()
model = LdaModel(bags, num_topics=topics, id2word={i: str(i) for i in range(words)}, eval_every=None, random_state=1, **options)
end(model.get_topics())
"""
SKLEARN = READ + """
import scipy.sparse
from sklearn.decomposition import LatentDirichletAllocation
starts = numpy.cumsum([0] + [len(bag) for bag in bags])
matrix = scipy.sparse.csr_matrix(([n for bag in bags for _, n in bag], [w for bag in bags for w, _ in bag], starts),
                                 shape=(len(bags), words))
begin()
model = LatentDirichletAllocation(n_components=topics, learning_method='online', total_samples=len(bags), n_jobs=1,
                                  random_state=1, **options)
model.fit(matrix)
end(model.components_)
"""
# gensim: what it does by itself, and the chunks and decay that suit one pass over tens of thousands of documents.
PEERS = {
    "gensim, as it comes": ("gensim", GENSIM, lambda n: {"passes": n, "chunksize": 2000}),
    "gensim, tuned": ("gensim", GENSIM, lambda n: {"passes": n, "chunksize": 256, "decay": 0.5, "offset": 64, "alpha": 0.1, "eta": 0.01}),
    "scikit-learn, online": ("sklearn", SKLEARN, lambda n: {"max_iter": n, "batch_size": 256, "learning_decay": 0.7, "learning_offset": 64}),
}


def run(command, cores=None):
    """Runs a program to its end; wall and CPU seconds, peak MiB, and what it printed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as problems:
        begin = time.perf_counter()
        process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=out, stderr=problems,
                                   preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        problems.seek(0)
        if process.returncode not in (0, 2):  # 2: trained, but not to be trusted yet
            sys.exit(f"{' '.join(map(str, command[:4]))} failed: {problems.read().decode(errors='replace')[-2000:]}")
        return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak_mib": usage.ru_maxrss / 1024}, out.read().decode()


def installed(module):
    return subprocess.run(["/usr/bin/python3", "-c", f"import {module}"], capture_output=True).returncode == 0


def score(options, matrix):
    return json.loads(run([options.score, matrix, options.test])[1])["perplexity"]


def exponential(source, target):
    """dual.npy holds log phi of the last draw; the judge wants phi."""
    data = source.read_bytes()
    length = 10 + struct.unpack("<H", data[8:10])[0]
    values = array.array("f", data[length:])
    for i, value in enumerate(values):
        values[i] = math.exp(value)
    target.write_bytes(data[:length] + values.tobytes())


def one_core():
    return {min(os.sched_getaffinity(0))}


def measure_tain(options, folder):
    points = []
    for threads in (1, 2):
        for passes in options.passes:
            model = folder / "model"
            measured, _ = run([options.tain, "lda", "train", options.train, "-k", options.topics, "-m", options.method, "--passes", passes,
                               "--holdout", 0, "--threads", threads, "-o", model, "--force", "--quiet", *options.tain_flags],
                              one_core() if threads == 1 else None)
            exponential(model / "dual.npy", folder / "last.npy")
            point = {"who": f"tain {options.method}, {threads} thread{'s' if threads > 1 else ''}", "passes": passes, **measured,
                     "perplexity": score(options, model / "topics.npy"), "perplexity_last_draw": score(options, folder / "last.npy")}
            points.append(point)
            show(point)
    return points


def measure_peers(options, folder):
    bags, points = folder / "bags.ldac", []
    words = len((options.train / "vocab.txt").read_text(encoding="utf-8").splitlines())
    run([options.tain, "corpus", "export", options.train, "--format", "ldac", "-o", bags, "--force", "--quiet"])
    for name, (module, program, flags) in PEERS.items():
        if not installed(module):
            print(f"  {name}: {module} is not installed and was not measured (Debian: python3-{module})", flush=True)
            continue
        for passes in options.peer_passes:
            _, printed = run(["/usr/bin/python3", "-c", program, bags, words, options.topics, folder / "peer.npy",
                              json.dumps(flags(passes))], one_core())
            point = {"who": name, "passes": passes, **json.loads(printed), "perplexity": score(options, folder / "peer.npy")}
            points.append(point)
            show(point)
    return points


def show(point):
    last = f"  {point['perplexity_last_draw']:10.1f}" if "perplexity_last_draw" in point else ""
    print(f"  {point['who']:32} {point['passes']:>6} {point['cpu']:9.2f} {point['wall']:9.2f} {point['perplexity']:10.1f}{last}", flush=True)


def seconds_to_reach(curve, perplexity):
    """CPU seconds at which a curve falls to a perplexity, between its points by their logarithm; None: never."""
    before = None
    for point in curve:
        if point["perplexity"] <= perplexity:
            if before is None or before["perplexity"] <= point["perplexity"]:
                return point["cpu"]
            share = (before["perplexity"] - perplexity) / (before["perplexity"] - point["perplexity"])
            return math.exp(math.log(before["cpu"]) + share * math.log(point["cpu"] / before["cpu"]))
        before = point
    return None


def ratios(points):
    ours = sorted((p for p in points if p["who"].startswith("tain") and p["who"].endswith("1 thread")), key=lambda p: p["cpu"])
    results = []
    for peer in (p for p in points if not p["who"].startswith("tain")):
        seconds = seconds_to_reach(ours, peer["perplexity"])
        entry = {"who": peer["who"], "passes": peer["passes"], "perplexity": peer["perplexity"], "cpu": peer["cpu"], "tain_cpu": seconds,
                 "ratio": peer["cpu"] / seconds if seconds else None}
        results.append(entry)
        if seconds is None:
            print(f"  {peer['who']}, {peer['passes']} passes: {peer['perplexity']:.1f} was not reached by tain")
        else:
            least = "at least " if seconds == ours[0]["cpu"] else ""
            print(f"  {peer['who']}, {peer['passes']} passes: {peer['perplexity']:.1f} in {peer['cpu']:.1f} s; "
                  f"tain in {seconds:.2f} s: {least}{entry['ratio']:.1f} times faster")
    return results


def svg(points):
    """Perplexity against CPU seconds, logarithmic in time: one line per program."""
    width, height, left, top, right, bottom = 860, 480, 70, 30, 250, 50
    colours = ["#0072b2", "#d55e00", "#1ca388", "#a72f67", "#5f3d00", "#9078f5"]
    low, high = math.log10(min(p["cpu"] for p in points)), math.log10(max(p["cpu"] for p in points))
    low, high = (low - 0.1, high + 0.1)
    least, most = min(p["perplexity"] for p in points) * 0.97, max(p["perplexity"] for p in points) * 1.03
    x = lambda cpu: left + (math.log10(cpu) - low) / (high - low) * (width - left - right)
    y = lambda perplexity: top + (most - perplexity) / (most - least) * (height - top - bottom)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="#fff"/>',
             f'<rect x="{left}" y="{top}" width="{width - left - right}" height="{height - top - bottom}" fill="none" stroke="#8c959f"/>']
    for power in range(math.ceil(low), math.floor(high) + 1):
        parts.append(f'<text x="{x(10 ** power):.1f}" y="{height - bottom + 18}" text-anchor="middle">{10.0 ** power:g}</text>')
    step = 10 ** math.floor(math.log10((most - least) / 2))
    tick = math.ceil(least / step) * step
    while tick <= most:
        parts.append(f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
        tick += step
    parts.append(f'<text x="{(left + width - right) / 2}" y="{height - 12}" text-anchor="middle">CPU seconds</text>')
    parts.append(f'<text x="{left}" y="{top - 10}">held-out perplexity, scored alike</text>')
    for number, who in enumerate(dict.fromkeys(p["who"] for p in points)):
        curve, colour = [p for p in points if p["who"] == who], colours[number % len(colours)]
        line = " ".join(f"{x(p['cpu']):.1f},{y(p['perplexity']):.1f}" for p in curve)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(p["cpu"]):.1f}" cy="{y(p["perplexity"]):.1f}" r="3.5" fill="{colour}"/>' for p in curve]
        parts.append(f'<text x="{width - right + 12}" y="{top + 20 + 18 * number}" fill="{colour}">{who}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def quality(options, folder):
    print(f"{options.topics} topics: program, passes, CPU seconds, wall seconds, perplexity (tain: of its mean, and of its last draw)", flush=True)
    points = measure_tain(options, folder) + ([] if options.no_peers else measure_peers(options, folder))
    print("CPU seconds to a peer's perplexity, tain on one thread:")
    results = {"train": options.train.name, "topics": options.topics, "points": points, "ratios": ratios(points)}
    if options.svg:
        options.svg.write_text(svg(points), encoding="utf-8")
    return results


def seconds_per_document(options, folder, corpus, documents, topics):
    """From a short and a longer run, so that neither opening nor writing counts: 0.6 descent, 0.4 sampling."""
    seconds, more = [], max(1, 100_000 // documents)
    for passes in (1, 1 + more):
        measured, _ = run([options.tain, "lda", "train", corpus, "-k", topics, "-m", options.method, "--passes", passes, "--holdout", 0,
                           "--average-every", 10 ** 9, "--threads", 1, "-o", folder / "model", "--force", "--quiet", *options.tain_flags], one_core())
        seconds.append(measured["cpu"])
    return (seconds[1] - seconds[0]) / (more * documents), measured["peak_mib"]


def growth(options, folder):
    results = []
    series = [("documents", [(n, 8000, 100) for n in (10_000, 40_000, 160_000)]),
              ("topics", [(10_000, 8000, k) for k in (20, 50, 100, 200, 500, 1000, 2000)]),
              ("words", [(10_000, w, 100) for w in (8000, 32_000, 128_000, 500_000)])]
    for what, cases in series:
        print(f"Against {what}: documents, words, topics, CPU microseconds per document, peak MiB", flush=True)
        for documents, words, topics in cases:
            corpus = folder / f"corpus-{documents}-{words}"
            if not corpus.exists():
                run([options.tain, "corpus", "synthesize", "--docs", documents, "--vocab-size", words, "--topics", 20, "--mean-length", 200,
                     "--base", "zipf", "-o", corpus, "--quiet"])
            seconds, peak = seconds_per_document(options, folder, corpus, documents, topics)
            results.append({"against": what, "documents": documents, "words": words, "topics": topics, "seconds_per_document": seconds, "peak_mib": peak})
            print(f"  {documents:8} {words:8} {topics:6} {1e6 * seconds:10.1f} {peak:8.0f}", flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tain", type=pathlib.Path, required=True)
    parser.add_argument("--score", type=pathlib.Path)
    parser.add_argument("--train", type=pathlib.Path)
    parser.add_argument("--test", type=pathlib.Path)
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--method", default="smld-root")
    parser.add_argument("--tain-flags", type=str.split, default=[], help="further flags of `tain lda train`, in one text")
    parser.add_argument("--passes", type=lambda text: [float(p) for p in text.split(",")], default=[0.5, 1, 2, 5, 10])
    parser.add_argument("--peer-passes", type=lambda text: [int(p) for p in text.split(",")], default=[1])
    parser.add_argument("--no-peers", action="store_true", help="measure tain alone")
    parser.add_argument("--only", choices=("quality", "growth"))
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    options = parser.parse_args()
    options.tain = options.tain.resolve()
    if options.only != "growth":
        for name in ("score", "train", "test"):
            if getattr(options, name) is None:
                parser.error(f"--{name} is missing (--only growth needs none)")
            setattr(options, name, getattr(options, name).resolve())
    results = {}
    with tempfile.TemporaryDirectory(prefix="tain-bench-") as name:
        if options.only != "growth":
            results["quality"] = quality(options, pathlib.Path(name))
        if options.only != "quality":
            results["growth"] = growth(options, pathlib.Path(name))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


main()
