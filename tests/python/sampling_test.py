"""tain.sample: the bits of the program, results as people use them, interrupts, wrong input."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import tain

TAIN = os.environ["TAIN"]


def program(folder, *flags):
    """Draws of `tain sample` with these flags."""
    output = folder / "program.npy"
    subprocess.run([TAIN, "sample", *flags, "-o", output, "--quiet", "--force"], check=True, stdout=subprocess.DEVNULL)
    return np.load(output)


SHORT = ["--warmup", "200", "--draws", "50"]
short = dict(warmup=200, draws=50)
# No machine gets to the end of it.
endless = dict(kernel="mala", chains=8, draws=10**5, thin=10**4)
# Seconds after which native code looks for Ctrl-C and shows progress again. Who has slept so long knows that it does.
LOOKS = 0.1


@pytest.mark.parametrize(
    "flags, target, domain, keywords",
    [
        (
            "--target dirichlet --counts 90,5,5,0 --alpha 0.1 --seed 7",
            lambda: tain.dirichlet(counts=[90, 5, 5, 0], alpha=0.1),
            None,
            dict(seed=7),
        ),
        (
            "--target dirichlet --counts 3,1,2 --coordinates last --kernel mala --chains 7",
            lambda: tain.dirichlet(counts=[3, 1, 2]),
            lambda: tain.simplex(coordinates="last"),
            dict(kernel="mala", chains=7),
        ),
        (
            "--target dirichlet --counts 30,10,20 --batch 6 --step-size 0.001 --chains 2",
            lambda: tain.dirichlet(counts=[30, 10, 20]),
            None,
            dict(batch=6, step_size=0.001, chains=2),
        ),
        (
            "--target gaussian --mean 0.1,-2 --sd 0.3,1 --lower -1,-inf --upper 1,0 --kernel mld --step-size 0.01,100,0.5",
            lambda: tain.gaussian([0.1, -2], sd=[0.3, 1]),
            lambda: tain.box([-1, -np.inf], [1, 0]),
            dict(kernel="mld", step_size=(0.01, 100, 0.5)),
        ),
        (
            "--target uniform --set ball --dim 3 --radius 2 --trajectory-length 0.7 --start 0.1,0.2,0.3",
            tain.uniform,
            lambda: tain.ball(radius=2, dim=3),
            dict(trajectory_length=0.7, start=np.array([0.1, 0.2, 0.3])),
        ),
    ],
)
def test_same_bits_as_the_program(tmp_path, flags, target, domain, keywords):
    expected = program(tmp_path, *flags.split(), *SHORT)
    result = tain.sample(target(), domain and domain(), **short, **keywords)
    assert result.draws.tobytes() == expected.tobytes()
    more_threads = tain.sample(target(), domain and domain(), **short, **keywords, threads=3)
    assert more_threads.draws.tobytes() == expected.tobytes()
    other_seed = tain.sample(target(), domain and domain(), **short, **{**keywords, "seed": 1234})
    assert other_seed.draws.tobytes() != expected.tobytes()


def test_problem_files_and_domains_agree(tmp_path):
    (tmp_path / "p.toml").write_text(
        'target = "uniform"\n[[set]]\ntype = "simplex"\ndim = 3\n[[set]]\ntype = "ball"\ndim = 2\n'
        "matrix = [[2, 0], [1, 1]]\nshift = [10, 0]\n"
    )
    expected = program(tmp_path, str(tmp_path / "p.toml"), *SHORT)
    domain = tain.product(tain.simplex(3), tain.affine(tain.ball(dim=2), [[2, 0], [1, 1]], [10, 0]))
    assert domain.dim == 5
    assert tain.sample(tain.uniform(), domain, **short).draws.tobytes() == expected.tobytes()


def test_function_and_built_in_target_agree():
    # The same potential by another road: equal up to rounding, which chains forget nothing of; few steps show it.
    built_in = tain.sample(tain.gaussian(sd=0.5), tain.box(-1, 1, dim=3), kernel="mala", step_size=0.1, warmup=0, draws=5)

    def gaussian(x):
        return 2 * np.sum(x**2), 4 * x

    own = tain.sample(gaussian, tain.box(-1, 1, dim=3), kernel="mala", step_size=0.1, warmup=0, draws=5, start=[0.1, 0, 0])
    again = tain.sample(
        tain.gaussian(sd=0.5), tain.box(-1, 1, dim=3), kernel="mala", step_size=0.1, warmup=0, draws=5, start=[0.1, 0, 0]
    )
    np.testing.assert_allclose(own.draws, again.draws, rtol=1e-12)
    assert built_in.draws.shape == own.draws.shape


def test_result(tmp_path):
    result = tain.sample(tain.dirichlet(counts=[3, 1, 0]), chains=3, draws=400)
    assert result.finished and result.kernel == "hmc" and result.seed == 1 and result.thin == 1
    assert result.draws.shape == (3, 400, 3) and result.dual.shape[:2] == (3, 400)
    assert result.log_density.shape == result.acceptance_rate.shape == result.diverging.shape == (3, 400)
    assert result.diverging.dtype == bool and result.divergences == result.diverging.sum()
    np.testing.assert_allclose(result.draws.sum(axis=2), 1)
    with pytest.raises(ValueError):
        result.draws[0, 0, 0] = 1
    columns = result._run.diagnosis().columns()
    np.testing.assert_allclose(columns["mean"], result.draws.mean(axis=(0, 1)), rtol=1e-12)
    assert all(abs(row.z) < 5 for row in result.exact())
    assert str(result).endswith(str(result.verdict())) and "rhat" in str(result)
    assert "<pre>" in result._repr_html_()


def test_draws_outlive_the_result():
    draws = tain.sample(tain.dirichlet(counts=[3, 1, 0]), **short).draws
    assert draws.base is not None
    before = draws.copy()
    for _ in range(3):
        tain.sample(tain.dirichlet(counts=[9, 1, 0]), **short)
    np.testing.assert_array_equal(draws, before)


def test_summary_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    result = tain.sample(tain.dirichlet(counts=[3, 1, 0]))
    table = result.summary()
    assert isinstance(table, tain.Summary) and table.names == ["x[1]", "x[2]", "x[3]"]
    assert "x[1]" in repr(table) and table["rhat"].shape == (3,)


def test_files(tmp_path):
    result = tain.sample(tain.dirichlet(counts=[3, 1, 0]), chains=2, draws=100)
    for name in ["a.nc", "a.csv", "a.npy"]:
        result.save(tmp_path / name)
        with pytest.raises(tain.FileError, match="exists"):
            result.save(tmp_path / name)
        result.save(tmp_path / name, overwrite=True)
    assert np.load(tmp_path / "a.npy").tobytes() == result.draws.tobytes()
    with pytest.raises(tain.InputError, match=r"does not end in \.nc"):
        result.to_netcdf(tmp_path / "draws.h5")
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(tmp_path / "a.nc", group="posterior") as posterior:
        assert posterior["x"].values.tobytes() == result.draws.tobytes()
    found = json.loads(subprocess.run([TAIN, "diagnose", tmp_path / "a.nc", "--json"], stdout=subprocess.PIPE).stdout)
    np.testing.assert_allclose([row["mean"] for row in found["summary"]], result._run.diagnosis().columns()["mean"])
    result.report(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text()
    assert "tain.sample(dirichlet" in page


@pytest.mark.parametrize(
    "target, where",
    [
        (lambda: tain.dirichlet(counts=[3, 1, 0], alpha=0.5), None),
        (lambda: tain.gaussian([0.5, 0], covariance=[[2, 0.5], [0.5, 1]]), lambda: tain.box(-1, 1)),
        (lambda: tain.gaussian(dim=3), None),
        (lambda: tain.uniform(), lambda: {"w": tain.simplex(3), "r": tain.box(0, 1)}),
    ],
)
def test_the_program_repeats_a_run_by_its_manifest(tmp_path, target, where):
    result = tain.sample(target(), where and where(), output=tmp_path / "d.nc", **short)
    again = program(tmp_path, str(tmp_path / "d.nc.manifest.json"))
    assert again.tobytes() == result.draws.tobytes()


def test_runs_are_read_from_files(tmp_path):
    result = tain.sample(tain.dirichlet(counts=[3, 1, 0]), chains=3, output=tmp_path / "d.nc", seed=5)
    read = tain.read_run(tmp_path / "d.nc")
    assert read.draws.tobytes() == result.draws.tobytes() and read.dual.tobytes() == result.dual.tobytes()
    assert (read.seed, read.kernel, read.gradients) == (5, "hmc", result.gradients)
    assert str(read) == str(result) and read.exact() == result.exact()
    read.save(tmp_path / "d.npy")
    bare = tain.read_run([tmp_path / "d.npy"])
    assert bare.draws.tobytes() == result.draws.tobytes()
    assert bare.dual.size == bare.log_density.size == bare.diverging.size == 0 and bare.kernel == "hmc"
    (tmp_path / "d.npy.manifest.json").unlink()
    assert tain.read_run(tmp_path / "d.npy").kernel == ""
    bare.report(tmp_path / "bare.html")
    with pytest.raises(tain.FileError, match="none.nc"):
        tain.read_run(tmp_path / "none.nc")


def test_inference_data(monkeypatch):
    result = tain.sample(tain.dirichlet(counts=[3, 1, 0]), **short)
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ImportError, match="needs ArviZ"):
        result.to_inferencedata()

    class Arviz:
        @staticmethod
        def from_dict(**groups):
            return groups

    monkeypatch.setitem(sys.modules, "arviz", Arviz)
    groups = result.to_inferencedata()
    np.testing.assert_array_equal(groups["posterior"]["x"], result.draws)
    assert groups["coords"]["x_dim"] == result.names and groups["sample_stats"]["diverging"].dtype == bool
    named = tain.sample(tain.gaussian(), {"w": tain.simplex(3), "s": tain.positive()}, draws=20, warmup=20)
    groups = named.to_inferencedata()
    assert {name: part.shape for name, part in groups["posterior"].items()} == {"w": (4, 20, 3), "s": (4, 20)}


def test_a_stopped_run_goes_on_with_the_same_bits(tmp_path):
    target = tain.dirichlet(counts=[3, 1, 0])
    options = dict(warmup=100, draws=400, kernel="mala", thin=20, chains=2)
    whole = tain.sample(target, **options)
    path = tmp_path / "draws.npy"

    calls = [0]

    def one_pauses(x):
        calls[0] += 1
        if calls[0] == 3000:  # of 8100 steps, so in the middle of the draws
            time.sleep(LOOKS)
        return target(x)

    def stop(text, share):
        if calls[0] >= 3000:
            signal.raise_signal(signal.SIGINT)

    slow = tain.target(one_pauses, dim=3, vectorized=True, name="slow")
    with pytest.warns(tain.Interrupted, match="resume=True"):
        part = tain.sample(slow, tain.simplex(3), **options, output=path, progress=stop)
    assert not part.finished and 100 <= part.draws.shape[1] < 400
    with pytest.raises(tain.FileError, match="holds a stopped run"):
        tain.sample(slow, tain.simplex(3), **options, output=path)
    other = tain.target(lambda x: tain.dirichlet(counts=[3, 2, 0])(x), dim=3, vectorized=True, name="slow")
    with pytest.raises(tain.InputError, match="target slow on simplex.* has changed"):
        tain.sample(other, tain.simplex(3), **options, output=path, resume=True)
    quick = tain.target(lambda x: target(x), dim=3, vectorized=True, name="slow")
    with pytest.raises(tain.InputError, match="its target is code, which no file keeps; give the target again"):
        tain.resume(path)
    shares = []
    rest = tain.resume(path, quick, tain.simplex(3), progress=lambda text, share: shares.append(share))
    assert tain.sample(quick, tain.simplex(3), **options, output=path, resume=True).finished
    assert rest.finished and rest.draws.tobytes() == np.load(path).tobytes()
    unbroken = tain.sample(quick, tain.simplex(3), **options)
    assert rest.draws.tobytes() == unbroken.draws.tobytes()
    assert whole.draws.shape == rest.draws.shape


def test_ctrl_c_returns_what_there_is(python_with_failpoint):
    code = f"""
import warnings
import numpy as np
import tain
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    result = tain.sample(tain.dirichlet(counts=[3, 1, 0]), progress=False, **{endless!r})
assert not result.finished and 5 <= result.draws.shape[1] < 10**5, result.draws.shape
assert [warning.category for warning in caught] == [tain.Interrupted]
np.testing.assert_allclose(result.draws.sum(axis=2), 1)
print("stopped")
"""
    done = python_with_failpoint("draws:5=int", code)
    assert (done.returncode, done.stdout) == (0, "stopped\n"), done.stderr


def test_the_lock_is_released(tmp_path, interrupt_at):
    """Another Python thread goes on while chains run in native code."""
    path = tmp_path / "draws.npy"
    interrupt_at(tmp_path / "draws.npy.run/checkpoint")  # written in native code
    with pytest.warns(tain.Interrupted):
        result = tain.sample(
            tain.dirichlet(counts=[3, 1, 0]), **endless, threads=1, progress=False, output=path, checkpoint_every=1
        )
    assert not result.finished


def test_progress_is_shown():
    seen = []

    def show(text, share):
        seen.append((text, share))
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)

    target = tain.target(lambda x: tain.uniform()(x), dim=3, vectorized=True)
    with pytest.warns(tain.Interrupted):
        tain.sample(target, tain.simplex(3), **endless, warmup=0, step_size=0.1, progress=show)
    assert len(seen) == 3 and all(0 <= share <= 1 for _, share in seen)
    assert any("steps/s" in text for text, _ in seen)
    assert [share for _, share in seen] == sorted(share for _, share in seen)


def test_a_run_that_is_stopped_before_its_first_draw_has_none(tmp_path):
    target = tain.target(lambda x: tain.uniform()(x), dim=3, vectorized=True)
    never = {**endless, "thin": 10**9}
    with pytest.warns(tain.Interrupted, match="interrupted after 0 of 100000 draws"):
        result = tain.sample(
            target, tain.simplex(3), **never, warmup=0, step_size=0.1, progress=lambda *_: signal.raise_signal(signal.SIGINT)
        )
    assert not result.finished and result.draws.shape == (8, 0, 3) and result.acceptance_rate.shape == (8, 0)
    assert result["x"].shape == (8, 0, 3) and result.exact() == [] and "Stopped before" in repr(result)
    for ask in (result.verdict, result.summary, lambda: result.report(tmp_path / "p.html")):
        with pytest.raises(tain.InputError, match="^draws: the run was stopped after 0 of 100000; let it run longer"):
            ask()
    with pytest.raises(tain.InputError, match="^draws: the run was stopped before its first draw; there is nothing to save$"):
        result.save(tmp_path / "d.nc")
    assert not list(tmp_path.iterdir())


def test_an_exception_of_the_progress_function_ends_the_run():
    def broken(text, share):
        raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        tain.sample(tain.dirichlet(counts=np.ones(3)), **endless, progress=broken)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: tain.sample(3), "no target"),
        (lambda: tain.sample(tain.uniform(3)), "set: is missing; say where the target lives"),
        (lambda: tain.sample(tain.uniform(), tain.simplex()), "nothing says how many coordinates"),
        (lambda: tain.sample(tain.uniform(), "simplex"), "set: a str is no set"),
        (lambda: tain.sample(tain.uniform(4), tain.simplex(3)), "4|3"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), kernel="hcm"), "kernel: unknown kernel 'hcm'; did you mean 'hmc'"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), chains=0), "chains"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), draws=-1), "draws: '-1' is not a whole number"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), draws=10.5), "draws: '10.5' is not a whole number"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), draws=10**10), "memory: the run needs"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), thin=0), "^thin: is 0; give at least 1$"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), warmup=10**18), "^warmup: exceeds 2.46 steps; ask for fewer$"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), chains=10**18), "^chains: is more than"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), threads=100_000), "^threads: is more than 1,024"),
        (lambda: tain.LDA(2, threads=100_000).fit([[1, 2]]), "^threads: is more than 1,024; give a smaller number$"),
        (lambda: tain.LDA(0).fit([[1, 2]]), "^n_components: is 0; give at least 1$"),
        (lambda: tain.Corpus.synthesize("no", threads=100_000), "^threads: is more than 1,024; give a smaller number$"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), step_size=float("nan")), "step_size: 'nan' is not a number"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), step_size=[]), "step_size: is an empty list"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), seed="one"), "seed: 'one' is not a whole number"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), start=[0.5, 0.5]), "start|coordinates|dimension"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), start=[2.0, -0.5, -0.5]), "start"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), start={1: 2}), "start: a dict is not a number"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), batch=3), "batch: .* is no sum"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), output="draws.txt"), "output: 'draws.txt' does not tell"),
        (lambda: tain.sample(tain.uniform(), tain.simplex(3), resume=True), "resume: needs the output"),
    ],
)
def test_wrong_arguments(call, message):
    with pytest.raises(tain.InputError, match=message):
        call()


def test_unknown_keyword_is_a_type_error():
    with pytest.raises(TypeError, match="step_sizes"):
        tain.sample(tain.uniform(), tain.simplex(3), step_sizes=1)
