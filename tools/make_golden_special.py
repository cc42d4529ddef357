#!/usr/bin/env python3
"""Writes tests/core/special_golden.inc: special functions at points over their whole domain.

mpmath gives 40 digits, rounded once to double; scipy is asked as a second opinion, so that a slip in
either shows here and not in a test. Run from the top of the repository:
    python3 tools/make_golden_special.py > tests/core/special_golden.inc
"""

import mpmath
import scipy.special
import scipy.stats

mpmath.mp.dps = 40


def agree(exact, second, tolerance):
    """exact, after checking that the second opinion is the same up to its own precision."""
    if abs(exact - second) > tolerance * abs(exact):
        raise SystemExit(f"mpmath {exact} and scipy {second} differ")
    return exact


def table(name, columns, rows):
    print(f"// {name}: {{{columns}}}")
    print(f"inline constexpr double {name}[][{columns.count(',') + 1}] = {{")
    for row in rows:
        print("    {" + ", ".join(repr(float(v)) for v in row) + "},")
    print("};\n")


positive = [10.0**k for k in range(-300, 301, 50)]
positive += [1e-8, 1e-3, 0.1, 0.5, 1.0, 1.25, 1.6, 2.0, 3.5, 7.0, 11.999, 12.0, 12.5, 100.0, 12345.678]


def digamma_rows():
    for x in sorted(positive):
        yield x, agree(mpmath.digamma(x), scipy.special.digamma(x), 1e-13)


def trigamma_rows():
    for x in sorted(positive):
        if 1e-150 < x:  # below, 1 / x^2 overflows
            yield x, agree(mpmath.psi(1, x), scipy.special.polygamma(1, x), 1e-12)


def cdf_rows():
    points = [-37.5, -30.0, -20.3, -10.1, -8.0, -5.0, -3.3, -2.0, -1.5, -1.0, -0.7, -1e-3, -1e-300]
    for z in points + [0.0] + [-p for p in reversed(points)]:
        yield z, agree(mpmath.ncdf(z), scipy.special.ndtr(z), 1e-12)


def quantile(p):
    p = mpmath.mpf(p)
    tail = min(p, 1 - p)
    log_tail = mpmath.log(tail)
    start = scipy.special.ndtri(float(tail))
    z = mpmath.findroot(lambda t: mpmath.log(mpmath.ncdf(t)) - log_tail, start) if tail < 0.5 else mpmath.mpf(0)
    return z if p < 0.5 else -z


def quantile_rows():
    for p in [1e-300, 1e-200, 1e-100, 1e-30, 1e-16, 1e-8, 1e-4, 0.01, 0.0749, 0.0751, 0.1, 0.3, 0.45, 0.49999,
              0.5, 0.7, 0.9, 0.95, 0.99, 0.9999, 1 - 1e-10, 1 - 2.0**-53]:
        yield p, agree(quantile(p), scipy.special.ndtri(p), 1e-10)


def chi_square_rows():
    for k in [1, 2, 3, 5, 10, 19, 21, 50, 101, 1000, 100000]:
        for factor in [0.01, 0.3, 0.7, 0.95, 1.0, 1.01, 1.2, 2.0, 5.0]:
            x = k * factor
            exact = mpmath.gammainc(mpmath.mpf(k) / 2, mpmath.mpf(x) / 2, mpmath.inf, regularized=True)
            if exact > mpmath.mpf("1e-290"):
                yield x, k, agree(exact, scipy.stats.chi2.sf(x, k), 1e-9)


def beta_rows():
    for a, b in [(0.1, 10020.9), (10000.1, 21.0), (10.1, 10010.9), (0.01, 0.01), (0.5, 2.5), (3.0, 4.0), (1e-3, 1e5)]:
        for p in [1e-8, 1e-3, 0.1, 0.5, 0.9, 0.999]:
            x = mpmath.mpf(scipy.stats.beta.ppf(p, a, b))
            if not 0 < x < 1:
                continue
            log_x = float(mpmath.log(x))
            if log_x == 0:
                continue
            exact = mpmath.betainc(a, b, 0, mpmath.exp(mpmath.mpf(log_x)), regularized=True)
            yield log_x, a, b, agree(exact, scipy.special.betainc(a, b, float(mpmath.exp(log_x))), 1e-6)


print("// Written by tools/make_golden_special.py. Do not edit.")
table("digamma_golden", "x, digamma", digamma_rows())
table("trigamma_golden", "x, trigamma", trigamma_rows())
table("normal_cdf_golden", "z, cdf", cdf_rows())
table("normal_quantile_golden", "p, quantile", quantile_rows())
table("chi_square_golden", "x, k, sf", chi_square_rows())
table("beta_golden", "log_x, a, b, cdf", beta_rows())
