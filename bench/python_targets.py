#!/usr/bin/python3
"""What a vectorised numpy target costs when Tain calls it, beside its own cost.

usage: PYTHONPATH=BUILD/python bench/python_targets.py [--chains N] [--dim D] [--repeat R] [--json FILE]

For each target: (a) the function called from Python with an array of the same shape, order and content; (b) the same
through native evaluation; (c) one gradient of a whole run of mala and of mld, in nanoseconds per chain. (a) and (b)
take turns of some 10 ms; CPU time of the process, medians. Exit status 1 if (b) is 20 % above (a) or more for one of
the targets. The overhead is memory traffic, so let the machine be idle: other programs take their part of the caches.
The best of the turns is shown too. `cheap` does next to nothing: it shows what a call costs, in microseconds, and is
not judged.
"""
import argparse
import json
import os
import statistics
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # before numpy: one core is compared with one core

import numpy as np
import tain

LIMIT = 0.2


def dirichlet(dim, rng):
    weights = rng.integers(1, 50, dim).astype(float)

    def function(x):
        return -(np.log(x) @ weights), -weights / x

    return function, tain.simplex(dim), lambda n: rng.dirichlet(np.full(dim, 5.0), n)


def gaussian(dim, rng):
    factor = np.eye(dim) + 0.05 * rng.normal(size=(dim, dim))
    precision = factor @ factor.T

    def function(x):
        gradient = x @ precision
        return 0.5 * np.einsum("ij,ij->i", gradient, x), gradient

    return function, tain.box(-2.0, 2.0, dim=dim), lambda n: rng.uniform(-1, 1, (n, dim))


def logistic(dim, rng):
    rows = rng.normal(size=(200, dim))
    signs = np.where(rng.random(200) < 0.5, -1.0, 1.0)

    def function(x):
        margin = (x @ rows.T) * signs
        return np.logaddexp(0, -margin).sum(axis=1), (-signs / (1 + np.exp(margin))) @ rows

    return function, tain.box(-2.0, 2.0, dim=dim), lambda n: rng.uniform(-1, 1, (n, dim))


def cheap(dim, rng):
    def function(x):
        return x[:, 0], x

    return function, tain.box(-2.0, 2.0, dim=dim), lambda n: rng.uniform(-1, 1, (n, dim))


def seconds_of_calls(function, x, times):
    begin = time.process_time()
    for _ in range(times):
        function(x)
    return (time.process_time() - begin) / times


def seconds_of_evaluations(target, x, times):
    begin = time.process_time()
    tain._native.time_evaluations(target, x, times, 1)
    return (time.process_time() - begin) / times


def step_nanoseconds(target, domain, kernel, chains, seconds):
    """Nanoseconds per gradient of one chain; steps are told apart from start and diagnosis by runs of two lengths."""
    options = dict(kernel=kernel, chains=chains, warmup=0, step_size=1e-4, draws=4, threads=1, progress=False)
    steps = max(4, int(0.02 / seconds))
    times = []
    for _ in range(5):
        used = []
        for thin in (steps, 3 * steps):
            begin = time.process_time()
            result = tain.sample(target, domain, thin=thin, **options)
            used.append((time.process_time() - begin, result.gradients))
        times.append((used[1][0] - used[0][0]) / (used[1][1] - used[0][1]) * 1e9)
    return statistics.median(times)


def measure(make, arguments):
    rng = np.random.default_rng(1)
    function, domain, points = make(arguments.dim, rng)
    x = np.asfortranarray(points(arguments.chains))
    target = tain.target(function, dim=arguments.dim, vectorized=True, name=make.__name__)
    times = max(1, min(2000, int(0.01 / max(seconds_of_calls(function, x, 3), 1e-6))))
    own, ours = [], []
    for _ in range(arguments.repeat):
        own.append(seconds_of_calls(function, x, times))
        ours.append(seconds_of_evaluations(target, x, times))
    a, b = statistics.median(own), statistics.median(ours)
    result = {"target": make.__name__, "function_us": a * 1e6, "evaluate_us": b * 1e6, "overhead": b / a - 1,
              "best_overhead": min(ours) / min(own) - 1}
    for kernel in ("mala", "mld"):
        result[f"{kernel}_ns"] = step_nanoseconds(target, domain, kernel, arguments.chains, b)
    result["function_ns"] = a / arguments.chains * 1e9
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chains", type=int, default=256)
    parser.add_argument("--dim", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=101)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    print(f"numpy targets, {arguments.chains} chains, {arguments.dim} coordinates, one core (CPU time)")
    print(f"  {'target':10} {'function':>11} {'evaluate':>11} {'overhead':>17} {'at best':>9} {'ns per gradient: own':>21} {'mala':>7} {'mld':>7}")
    results = []
    for make in (dirichlet, gaussian, logistic, cheap):
        r = measure(make, arguments)
        results.append(r)
        extra = r["evaluate_us"] - r["function_us"]
        print(f"  {r['target']:10} {r['function_us']:8.1f} us {r['evaluate_us']:8.1f} us {extra:+6.1f} us {100 * r['overhead']:+5.1f} % "
              f"{100 * r['best_overhead']:+7.1f} % "
              f"{r['function_ns']:21.0f} {r['mala_ns']:7.0f} {r['mld_ns']:7.0f}", flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"chains": arguments.chains, "dim": arguments.dim, "targets": results}, file, indent=1)
    slow = [r["target"] for r in results if r["target"] != "cheap" and r["overhead"] >= LIMIT]
    if slow:
        sys.exit(f"overhead of {100 * LIMIT:.0f} % or more: {', '.join(slow)}")


main()
