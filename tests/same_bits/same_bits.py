#!/usr/bin/env python3
"""Checksums of what commands and Python calls leave and print, over kernels, maps, targets, methods, layouts and formats: a
change that means to change no result shows here that it did not.

usage: same_bits.py PROGRAM PYTHON_FOLDER                 compares with checksums.json; exit 77: made on another kind of machine
       same_bits.py PROGRAM PYTHON_FOLDER --against P F   compares with another build, whatever the machine
       same_bits.py PROGRAM PYTHON_FOLDER --write         writes checksums.json anew

Results are draws, corpora, topics: bits that never change. Texts are what is printed, JSON, manifests and pages, without
times, folders and numbers of cores: they change only with a line in changes.md that says why. Checksums hold for one C library and one
instruction set; most runs are pinned to the baseline.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import netCDF4

HERE = pathlib.Path(__file__).resolve().parent
KEPT = HERE / "checksums.json"
SKIPPED = 77
TEXTS = (".json", ".html", ".md", ".txt", ".log", ".svg")
STUDY_TEXTS = ("findings.json", "index.html")  # they compare times
QUICK = "--warmup 100 --draws 100 --chains 5 --isa baseline"
LAW = "--target dirichlet --counts 30,4,1,0,0 --alpha 0.3"
ROWS = "--data rows.csv --response y --intercept"
TRAIN = "--isa baseline --seed 3 -k 6 --passes 3 --eval-every 300 --quiet"
METHODS = "smld-root gibbs smld smld-approximate smld-preconditioned sgrld sgrhmc scir".split()

#: Name -> shell commands, run one after another in a folder of their own beside `inputs`.
COMMANDS = {
    "hmc simplex netcdf": [f"tain sample {LAW} {QUICK} --exact -o d.nc --report p.html", "tain diagnose d.nc", "tain report d.nc -o q.html"],
    "hmc simplex json": [f"tain sample {LAW} {QUICK} --exact --json -o d.npy"],
    "mala simplex symmetric csv": [f"tain sample {LAW} {QUICK} --kernel mala --coordinates symmetric -o d.csv", "tain report d.csv -o q.html"],
    "mld simplex last": [f"tain sample {LAW} {QUICK} --kernel mld --step-size 0.05 --coordinates last --thin 3 -o d.nc"],
    "mld theory simplex category": [f"tain sample {LAW} {QUICK} --kernel mld --step-size theory --coordinates 2 -o d-%d.csv"],
    "mld schedule stretched": [f"tain sample {LAW} {QUICK} --kernel mld --step-size 0.1,100,0.5 --coordinates stretched --on-non-finite reject -o d.npy"],
    "smld batches": [f"tain sample {LAW} {QUICK} --kernel smld --batch 5 --step-size 0.01 -o d.nc"],
    "smld control variates": [f"tain sample --target logistic-regression {ROWS} {QUICK} --batch 8 --replacement --control-variates 20 --step-size 0.001 -o d.nc"],
    "sgrld sgrhmc scir": [f"tain sample {LAW} {QUICK} --kernel {k} --step-size 0.01 -o {k}.nc" for k in ("sgrld", "sgrhmc", "scir")],
    "plmc myula": [f"tain sample --target gaussian --lower -1 --upper 1,2,inf {QUICK} --kernel {k} --step-size 0.01 -o {k}.nc" for k in ("plmc", "myula")],
    "gaussian box": [f"tain sample --target gaussian --mean 1,0,-2 --sd 1,2,3 --lower -inf,0,-1 --upper 0,inf,1 {QUICK} -o d.nc --report p.html"],
    "gaussian ball": [f"tain sample --target gaussian --covariance square.txt --set ball --radius 2 --centre 1,0,0 {QUICK} --exact -o d.nc --report p.html"],
    "gaussian ball of the paper": [f"tain sample --target gaussian --precision square.txt --set ball --ball-form paper {QUICK} --kernel mala -o d.nc"],
    "gaussian space": [f"tain sample --target gaussian --mean 0.5 --dim 4 {QUICK} --exact --precondition none -o d.nc --report p.html"],
    "uniform orthant and ball": [f"tain sample --target gaussian --set positive --dim 3 {QUICK} -o d.nc", f"tain sample --target uniform --set ball --dim 3 {QUICK} --dual-form generic -o e.nc --report p.html"],
    "uniform simplex": [f"tain sample --target uniform --set simplex --dim 4 {QUICK} --trajectory-length 1.5 --start 0.1,0.2,0.3,0.4 -o d.nc --report p.html"],
    "linear regression": [f"tain sample --target linear-regression {ROWS} --noise-sd 0.5 --prior-sd 3 {QUICK} --check-gradient -o d.nc --report p.html", "tain report d.nc -o q.html"],
    "own target": [f"tain sample --target ./own_target.so --lower -2,-1 --upper 2,3 {QUICK} -o d.nc"],
    "problem files": [f"tain sample product.toml {QUICK} -o d.nc --report p.html", f"tain sample affine.toml {QUICK} -o e.csv", "tain sample e.csv.manifest.json -o f.csv"],
    "stopped and resumed": [f"TAIN_FAILPOINT=draws:60=kill tain sample {LAW} {QUICK} --checkpoint-every 25 -o d.nc || true", "cat d.nc.run/request.json",
                            f"tain sample {LAW} {QUICK} --threads 1 --resume -o d.nc"],
    "sample over ranks": [f"mpirun --allow-run-as-root --oversubscribe -np 3 tain sample {LAW} {QUICK} -o d.nc"],
    "plan": [f"tain plan {LAW} --coordinates last --epsilon 0.1,0.01", f"tain plan --target linear-regression {ROWS} --prior-sd 3 --batch 10 --gradient-variance 2 --json"],
    "formats of corpora": ["tain corpus show corpus", "tain corpus show corpus --json"] + [c for f in ("uci", "ldac", "mm", "svmlight", "vw", "tsv", "text") for c in (
        f"tain corpus export corpus --format {f} -o c.{f}.gz --quiet", f"tain corpus import c.{f}.gz --format {f}{' --min-df 2 --max-df 0.5' if f in ('vw', 'tsv', 'text') else ''} -o {f} --quiet --json")],
    "text": ["tain corpus import words.txt --min-df 2 --max-df 1 --stemmer english -o w --quiet", "tain corpus import words.txt --keep-case --min-length 3 --min-df 1 --max-df 1 -o v --json --quiet"],
    **{f"train {m}": [f"tain lda train corpus --method {m} {TRAIN} -o m", "tain lda topics m --corpus corpus", "tain lda evaluate m corpus --json"] for m in METHODS},
    "train kept and alpha": [f"tain lda train corpus {TRAIN} --optimize-alpha --assignments kept --json -o m", f"tain lda train corpus {TRAIN} --assignments fresh --start documents --approximation quadratic --method smld-approximate -o n"],
    "models": [f"tain lda train corpus {TRAIN} -o m", "tain lda topics m --json --lambda 0.5", "tain lda infer m words.txt -o p.csv --quiet", "tain lda infer m corpus -o p.npy --quiet", "tain lda report m corpus -o r.html --quiet"]
              + ["tain lda export m --corpus corpus --format pyldavis -o pyldavis --quiet", "tain lda export m --corpus corpus --format mallet -o mallet --quiet",
                 "tain lda export m --format gensim -o gensim --quiet"],
    "training resumed": [f"TAIN_FAILPOINT=documents:500=kill tain lda train corpus {TRAIN} --checkpoint-every 200 -o m || true", "tain lda train corpus --resume -o m --quiet"],
    "training over ranks": [f"mpirun --allow-run-as-root --oversubscribe -np 2 tain lda train corpus {TRAIN} --layout {l} -o {l}" for l in ("replicated", "sharded")],
    "tables": ["tain sets", "tain targets", "tain kernels", "tain sample --help", "tain generate markdown", "tain generate man", "tain generate bash"],
    "study": ["tain reproduce synthetic --quick --chains 1000 --grid-chains 1000 --further-chains 1000 --iterations 200 --isa baseline --quiet -o s > /dev/null"],
}

#: Name -> Python, run likewise.
CALLS = {
    "python built-in": """
for i, (target, domain, options) in enumerate([
        (tain.dirichlet(counts=[30, 4, 1, 0], alpha=0.3), None, {}),
        (tain.gaussian([0.5, 0], covariance=[[2, 1], [1, 2]]), tain.box(-1, [1, np.inf]), dict(kernel="mala", thin=2)),
        (tain.uniform(), tain.ball(radius=2, dim=3), dict(trajectory_length=1.0)),
        (tain.gaussian(sd=2.0), tain.product(tain.simplex(3), tain.positive(1), tain.box(0, 1, dim=1)), {}),
        (tain.gaussian(), tain.affine(tain.ball(dim=2), [[2, 1], [0, 1]], [1, 1]), {}),
        (tain.logistic_regression(X, y > 0, prior_sd=3.0), None, dict(batch=8, step_size=0.001))]):
    result = tain.sample(target, domain, draws=100, warmup=100, isa="baseline", **options)
    np.save(f"draws{i}.npy", result.draws); np.save(f"dual{i}.npy", result.dual)
    result.save(f"draws{i}.nc"); result.report(f"page{i}.html")
    print(repr(result), result, result.notes)
""",
    "python functions": """
def V(x):
    return -np.log(x).sum(axis=-1), -1 / x
for i, target in enumerate([tain.target(V, dim=3, vectorized=True), tain.target(V, dim=3)]):
    result = tain.sample(target, tain.simplex(3), draws=100, warmup=100, isa="baseline", output=f"d{i}.nc", report=f"p{i}.html", check_gradient=True)
    print(repr(result), result.summary(), tain.diagnose(f"d{i}.nc"), tain.check_gradient(target, tain.simplex(3)))
""",
    "python topics": """
corpus = tain.Corpus("corpus")
lda = tain.LDA(6, random_state=3, holdout=20, passes=3).fit(corpus)
np.save("topics.npy", lda.components_); np.save("shares.npy", lda.transform(corpus)); lda.save("m")
print(lda.verdict_, lda.topics(5), lda.history_["perplexity"])
stream = tain.LDA(6, random_state=3)
for part in np.array_split(corpus.matrix().toarray(), 3):
    stream.partial_fit(part)
np.save("stream.npy", stream.components_)
""",
}
PRELUDE = """import numpy as np, tain
X = np.random.default_rng(1).normal(size=(40, 3)); y = X @ [1, 2, 3] + 0.5
"""

PRODUCT = """target = "gaussian"
mean = 0.3
[[set]]
type = "simplex"
dim = 3
[[set]]
type = "box"
lower = [0, -inf]
upper = [1, 2]
[[set]]
type = "ball"
radius = 2
dim = 2
"""
AFFINE = """target = "gaussian"
[set]
type = "box"
lower = -1
upper = 1
matrix = [[2, 1], [0, 1]]
shift = [1, 0]
"""


def numbers(count):
    """Some that are spread over (-1, 1), the same everywhere."""
    state = 1
    for _ in range(count):
        state = state * 6364136223846793005 % 2**64
        yield (state >> 40) / 2**23 - 1


def make_inputs(folder, program):
    rows = [f"{a:.4f},{b:.4f},{int(a + b + c / 3 > 0)}" for a, b, c in zip(*[numbers(180)] * 3)]
    (folder / "rows.csv").write_text("\n".join(["a,b,y", *rows]) + "\n")
    (folder / "square.txt").write_text("2 0.5 0\n0.5 1 0.2\n0 0.2 3\n")
    (folder / "product.toml").write_text(PRODUCT)
    (folder / "affine.toml").write_text(AFFINE)
    stems = "river bank water money loan stream fish credit boat interest".split()
    (folder / "words.txt").write_text("\n".join(
        " ".join(stems[(i * i + 3 * j) % 10] + ("s" if (i + j) % 3 == 0 else "") for j in range(6 + i % 5)) for i in range(60)) + "\n")
    shutil.copy(next(program.parent.glob("examples/*target*.so")), folder / "own_target.so")
    subprocess.run([program, "corpus", "synthesize", "--docs", "200", "--topics", "5", "--vocab-size", "150", "-o", "corpus", "--quiet"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)


def without_times(text, folder):
    text = text.replace(str(folder), "FOLDER").replace(str(folder.parent), "PLACE")
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?", "MOMENT", text)
    text = re.sub(r"\b\d{4}-\d\d-\d\d\b", "DATE", text)  # of the build, in the manual page
    text = re.sub(r'"threads": *\d+', '"threads": CORES', text)
    text = re.sub(r'"checksum": *"\w+"', '"checksum": SUM', text)  # of what tells times
    text = re.sub(r'"(\w*seconds|started|ended|created|rss|peak_memory\w*|command)": *("[^"]*"|[-+.\de]+)', r'"\1": TIME', text)
    text = re.sub(r"\b[\d.,]+ (ms|s|seconds|minutes?|CPU seconds|s of CPU)\b", "TIME", text)
    return re.sub(r"(?m)^.*(gradients a second|draws a second|per second|tokens/s).*$", "RATE", text)


def contents(path, folder):
    data = path.read_bytes()
    if path.suffix in TEXTS:
        return without_times(data.decode(errors="replace"), folder).encode()
    if path.name in ("history.csv", "curves.csv"):  # some columns are seconds
        rows = [line.split(",") for line in data.decode().splitlines()]
        kept = [i for i, title in enumerate(rows[0]) if "seconds" not in title]
        return "\n".join(",".join(row[i] for i in kept) for row in rows).encode()
    if path.suffix == ".nc" and str(folder).encode() in data:
        return netcdf_contents(path, folder)
    return data


def netcdf_contents(path, folder):
    """What a file holds that tells a folder, which HDF5's own checksums cover."""
    def attributes(of):
        return {name: without_times(str(of.getncattr(name)), folder) for name in of.ncattrs()}

    def values(of):
        return of[...].tolist() if of.dtype is str else of[...].tobytes()

    with netCDF4.Dataset(path) as file:
        parts = []
        for group in (file, *file.groups.values()):
            group.set_auto_mask(False)
            parts += [(group.path, attributes(group)), {name: len(size) for name, size in group.dimensions.items()}]
            parts += [(name, one.dtype, one.dimensions, attributes(one), values(one)) for name, one in group.variables.items()]
    return repr(parts).encode()


def is_skipped(path):
    """Checkpoints tell seconds; archives of others' formats tell moments."""
    return path.name in ("checkpoint.bin", "lock") or path.suffix in (".npz", ".part") or "seconds" in path.name or path.name in STUDY_TEXTS


class Build:
    def __init__(self, program, python):
        self.program, self.python = pathlib.Path(program).resolve(), pathlib.Path(python).resolve()

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TAIN_", "OMPI_"))}
        return {**kept, "PATH": f"{self.program.parent}:{kept['PATH']}", "PYTHONPATH": str(self.python), "LC_ALL": "C.UTF-8",
                "COLUMNS": "100", "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1"}

    def run(self, place, name, steps):
        folder = place / re.sub(r"\W+", "-", name)
        folder.mkdir()
        for path in (place / "inputs").iterdir():
            (folder / path.name).symlink_to(path)
        sums = {}
        for number, step in enumerate(steps):
            done = subprocess.run(step, shell=isinstance(step, str), cwd=folder, env=self.environment(), capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL)
            if done.returncode not in (0, 2):
                raise SystemExit(f"same_bits: {name}: {step} ended with {done.returncode}:\n{done.stderr}")
            said = without_times(done.stdout, folder)
            sums[f"printed {number + 1}"] = hashlib.sha256(said.encode()).hexdigest()[:16]
        return folder, sums

    def files(self, folder):
        sums = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink() and not any(p.is_symlink() for p in path.parents) and not is_skipped(path):
                text = contents(path, folder)
                sums[str(path.relative_to(folder))] = hashlib.sha256(text).hexdigest()[:16]
        return sums

    def checksums(self, keep=None):
        with tempfile.TemporaryDirectory(prefix="tain-same-bits-") as place:
            place = pathlib.Path(place).resolve()
            (place / "inputs").mkdir()
            make_inputs(place / "inputs", self.program)
            jobs = {**COMMANDS, **{name: [["/usr/bin/python3", "-c", PRELUDE + code]] for name, code in CALLS.items()}}
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                ran = list(pool.map(lambda name: self.run(place, name, jobs[name]), jobs))
            found = {name: sums | self.files(folder) for name, (folder, sums) in zip(jobs, ran)}
            if keep:
                shutil.copytree(place, keep, symlinks=True)
        return found


def machine(program):
    """What bits may depend on: processor, C library, and the instruction set of commands that cannot be pinned."""
    flags = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    used = re.search(r"instruction set (\S+)", version).group(1)
    return f"{platform.machine()} {' '.join(platform.libc_ver())}{' fma' if ' fma ' in flags else ''} {used}"


def is_text(name):
    return name.startswith("printed") or pathlib.Path(name).suffix in TEXTS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("python")
    parser.add_argument("--against", nargs=2, metavar=("PROGRAM", "FOLDER"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", help="a folder for all files, to look at")
    options = parser.parse_args()
    here = machine(options.program)
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"machine": here, "checksums": {}}
    if not options.against and not options.write and kept["machine"] != here:
        print(f"same_bits: checksums were made on {kept['machine']}, this is {here}; give --against another build")
        sys.exit(SKIPPED)
    found = Build(options.program, options.python).checksums(options.keep)
    if options.write:
        KEPT.write_text(json.dumps({"machine": here, "checksums": found}, indent=1) + "\n")
        print(f"same_bits: {len(found)} cases, {sum(map(len, found.values()))} checksums written")
        return
    expected = Build(*options.against).checksums() if options.against else kept["checksums"]
    wrong = [(case, file) for case in sorted(found.keys() | expected.keys())
             for file in sorted(found.get(case, {}).keys() | expected.get(case, {}).keys())
             if found.get(case, {}).get(file) != expected.get(case, {}).get(file)]
    for case, file in wrong:
        print(f"{'text' if is_text(file) else 'BITS'} differ: {case}: {file}")
    print(f"same_bits: {len(found)} cases, {sum(map(len, found.values()))} checksums, {len(wrong)} differ")
    sys.exit(1 if wrong else 0)


main()
