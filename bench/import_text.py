#!/usr/bin/python3
"""Speed and memory of `tain corpus import`, beside gensim on the same text in the same run.

usage: bench/import_text.py TAIN ZIPF_TEXT [--text FILE.tsv --vocab FILE] [--megabytes N] [--large N] [--only speed|memory]

TAIN is the program, ZIPF_TEXT the program tain_bench_zipf_text, which makes the text where none is given
(--megabytes, 200 unless told). Speed: a fixed vocabulary; best of three, the programs in turn. What gensim does
is the fastest way we know: re.findall('[a-z]+') on the lower-cased text, Dictionary.doc2bow, MmCorpus.serialize,
timed without imports; tain is timed as a whole process. Where the text is ASCII both must give the same bags.
Memory: --large megabytes (5000 unless told) of text with 20 million words through a pipe, the vocabulary from
the data, at --memory 1G and 256M. gensim is left out where it is not installed (Debian: python3-gensim).
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

GENSIM = """
import re, sys, time
from gensim.corpora import Dictionary, MmCorpus
text, vocabulary, out = sys.argv[1:]
dictionary = Dictionary()
dictionary.token2id = {word: i for i, word in enumerate(open(vocabulary, encoding='utf-8').read().split())}
dictionary.id2token = {i: word for word, i in dictionary.token2id.items()}
find = re.compile('[a-z]+').findall
def bags():
    with open(text, encoding='utf-8', errors='replace') as lines:
        for line in lines:
            yield dictionary.doc2bow(find(line.rstrip('\\n').split('\\t', 2)[2].lower()))
wall, cpu = time.perf_counter(), time.process_time()
MmCorpus.serialize(out, bags(), progress_cnt=10**9)
print(time.perf_counter() - wall, time.process_time() - cpu)
"""

Run = collections.namedtuple("Run", "wall cpu peak_mib")


def run(command, cores=None, feed=None):
    """Runs a program to its end; seconds and peak memory are those of that process alone."""
    source = subprocess.Popen(feed, stdout=subprocess.PIPE) if feed else None
    out = tempfile.TemporaryFile()
    begin = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdin=source.stdout if source else subprocess.DEVNULL, stdout=out,
                               stderr=subprocess.PIPE, preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None)
    if source:
        source.stdout.close()
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if source:
        source.wait()
    if status != 0:
        sys.exit(f"{command[0]} failed: {message.decode(errors='replace')[-2000:]}")
    out.seek(0)
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), out.read().decode()


def synthetic(zipf, folder, megabytes):
    """A TSV of made-up words and the 8000 commonest of them."""
    text, vocabulary = folder / "text.tsv", folder / "vocab.txt"
    counts = collections.Counter()
    lines = subprocess.Popen([zipf, str(megabytes), "300000"], stdout=subprocess.PIPE, text=True, encoding="utf-8")
    with open(text, "w", encoding="utf-8") as out:
        for number, line in enumerate(lines.stdout, 1):
            out.write(f"{number}\tDocument {number}\t{line}")
            if number <= 2000:
                counts.update(line.split())
    if lines.wait() != 0:
        sys.exit(f"{zipf} failed")
    vocabulary.write_text("".join(f"{word}\n" for word, _ in counts.most_common(8000)), encoding="utf-8")
    return text, vocabulary


def entries(path):
    """Documents, words and counts of a MatrixMarket file, and what they add up to."""
    with open(path, encoding="utf-8") as lines:
        rows = [line.split() for line in lines if not line.startswith("%")]
    return rows[1:], sum(int(row[2]) for row in rows[1:])


def best(runs):
    return Run(*(min(values) for values in zip(*runs)))


def same_bags(tain, folder, gensim_file, ascii_only):
    run([tain, "corpus", "export", folder / "unicode 1", "--format", "mm", "-o", folder / "ours.mm", "--force"])
    ours, tokens = entries(folder / "ours.mm")
    theirs, their_tokens = entries(gensim_file)
    if ascii_only and ours != theirs:
        sys.exit("gensim and tain disagree about the same text")
    share = 100 * abs(tokens - their_tokens) / max(their_tokens, 1)
    print(f"  bags: {'the same' if ours == theirs else f'{share:.2f} % of tokens differ, words beyond ASCII being cut otherwise'}")


def speed(tain, folder, text, vocabulary):
    size = text.stat().st_size / 1e6
    print(f"Import of {size:.0f} MB of text, fixed vocabulary: seconds (wall, CPU), peak memory, MB per second of wall time")
    every = ["--stop-words", "none", "--min-length", "1"]
    plans = {"unicode 1": (1, []), "unicode 2": (2, []), "ascii 1": (1, ["--tokens", "ascii"]), "ascii 2": (2, ["--tokens", "ascii"])}
    has_gensim = subprocess.run(["/usr/bin/python3", "-c", "import gensim"], capture_output=True).returncode == 0
    runs = collections.defaultdict(list)
    core = {min(os.sched_getaffinity(0))}
    for turn in range(3):
        names = list(plans) + (["gensim"] if has_gensim else [])
        for name in names if turn % 2 == 0 else reversed(names):
            if name == "gensim":
                measured, out = run(["/usr/bin/python3", "-c", GENSIM, text, vocabulary, folder / "gensim.mm"], core)
                runs[name].append(measured._replace(wall=float(out.split()[0]), cpu=float(out.split()[1])))
            else:
                threads, flags = plans[name]
                command = [tain, "corpus", "import", text, "-o", folder / name, "--format", "tsv", "--vocab", vocabulary,
                           "--threads", threads, "--force", *every, *flags]
                runs[name].append(run(command, core if threads == 1 else None)[0])
    for name, measured in runs.items():
        b = best(measured)
        print(f"  {name:10} {b.wall:7.2f} {b.cpu:7.2f} {b.peak_mib:6.0f} MiB {size / b.wall:6.0f} MB/s")
    for rule in ("unicode", "ascii"):
        one, two = best(runs[f"{rule} 1"]), best(runs[f"{rule} 2"])
        peer = best(runs["gensim"]) if has_gensim else None
        beside = f", on one core {peer.wall / one.wall:.1f} times gensim ({peer.cpu / one.cpu:.1f} by CPU time)" if peer else ""
        print(f"  {rule}: two threads {one.wall / two.wall:.2f} times one{beside}")
        if (folder / f"{rule} 1" / "corpus.bin").read_bytes() != (folder / f"{rule} 2" / "corpus.bin").read_bytes():
            sys.exit("the corpus depends on the number of threads")
    if has_gensim:
        with open(text, "rb") as file:
            ascii_only = all(block.isascii() for block in iter(lambda: file.read(1 << 20), b""))
        same_bags(tain, folder, folder / "gensim.mm", ascii_only)
    else:
        print("  gensim is not installed and was not measured (Debian: python3-gensim)")
    return {name: best(measured)._asdict() for name, measured in runs.items()}


def memory(tain, zipf, folder, megabytes):
    print(f"Import of {megabytes} MB through a pipe, vocabulary of 20 million words counted: limit, peak memory, seconds (wall, CPU)", flush=True)
    results = {}
    for limit, mib in (("1G", 1024), ("256M", 256)):
        command = [tain, "corpus", "import", "-", "-o", folder / "large", "--format", "text", "--memory", limit, "--force"]
        measured, _ = run(command, feed=[zipf, str(megabytes), "2e7"])
        print(f"  {mib:5} MiB {measured.peak_mib:6.0f} MiB {measured.wall:7.0f} {measured.cpu:7.0f}", flush=True)
        results[limit] = measured._asdict()
        if measured.peak_mib > mib:
            sys.exit("more memory than allowed")
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tain", type=pathlib.Path)
    parser.add_argument("zipf_text", type=pathlib.Path)
    parser.add_argument("--text", type=pathlib.Path)
    parser.add_argument("--vocab", type=pathlib.Path)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--large", type=int, default=5000)
    parser.add_argument("--only", choices=("speed", "memory"))
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    if (options.text is None) != (options.vocab is None):
        parser.error("--text and --vocab go together")
    results = {}
    with tempfile.TemporaryDirectory(prefix="tain-bench-") as name:
        folder = pathlib.Path(name)
        tain, zipf = options.tain.resolve(), options.zipf_text.resolve()
        if options.only != "memory":
            text, vocabulary = (options.text, options.vocab) if options.text else synthetic(zipf, folder, options.megabytes)
            results["speed"] = speed(tain, folder, text, vocabulary)
        if options.only != "speed":
            results["memory"] = memory(tain, zipf, folder, options.large)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


main()
