"""Sets: what they contain, what they are called, what they refuse."""

import numpy as np
import pytest
import tain


@pytest.mark.parametrize(
    "domain, inside, outside",
    [
        (tain.simplex(3), [0.2, 0.3, 0.5], [0.2, 0.3, 0.6]),
        (tain.simplex(3, coordinates=2), [0.2, 0.3, 0.5], [0.7, 0.6, -0.3]),
        (tain.simplex(3, coordinates="stretched"), [0.2, 0.3, 0.5], [1.2, -0.3, 0.1]),
        (tain.box(0, 1, dim=2), [0.5, 0.5], [0.5, 1.5]),
        (tain.box([-np.inf, 0], [np.inf, 2]), [-1e9, 1], [0, 3]),
        (tain.positive(2), [1e-9, 1e9], [1, -1]),
        (tain.ball(2, 0.5, [1, 1]), [1.3, 1.3], [1.4, 1.4]),
        (tain.ball(dim=2, form="paper"), [0.3, 0.3], [1, 1]),
        (tain.real(2), [1e9, -1e9], [np.inf, 0]),
        (tain.product(tain.simplex(2), tain.positive(1)), [0.4, 0.6, 7], [0.4, 0.6, -7]),
        (tain.affine(tain.box(0, 1, dim=2), [[1, 1], [0, 1]], 5), [6.5, 5.7], [5.1, 5.9]),
    ],
)
def test_what_is_inside(domain, inside, outside):
    assert domain.contains(inside) and not domain.contains(outside)
    assert domain.dim == len(inside)


def test_open_dimensions():
    for domain in [tain.simplex(), tain.box(0, 1), tain.positive(), tain.ball(), tain.real()]:
        assert domain.dim is None
    assert tain.box([0], [1]).dim == 1
    assert tain.sample(tain.uniform(4), tain.box(0, 1), draws=10).draws.shape == (4, 10, 4)


def test_names():
    domain = tain.product(tain.simplex(3), tain.affine(tain.ball(dim=2), np.eye(2)), tain.real(1))
    assert repr(domain) == "<tain.Set product(simplex(3), affine(ball(2)), real(1))>"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: tain.simplex(1), "at least 2 categories"),
        (lambda: tain.simplex(0), "dim is 0"),
        (lambda: tain.simplex(2.5), "dim is 2.5; give a whole number"),
        (lambda: tain.simplex(3, coordinates=4), "category 4 does not exist among 3"),
        (lambda: tain.simplex(3, coordinates="nearest"), "nearest"),
        (lambda: tain.box(1, 0, dim=2), "lower: no number lies between the bounds 1 and 0 of coordinate 1"),
        (lambda: tain.box([0, 0], [1, 1, 1]), "upper: implies dimension 3, but lower implies 2"),
        (lambda: tain.box([0, 0], 1, dim=3), "dim: implies dimension 3"),
        (lambda: tain.box([[0]], 1), "shape"),
        (lambda: tain.box(np.nan, 1), "NaN"),
        (lambda: tain.box("a", 1), "real numbers"),
        (lambda: tain.box([[0], [1, 2]], 1), "different lengths|real numbers"),
        (lambda: tain.ball(2, -1), "radius: -1 is not a positive number"),
        (lambda: tain.ball(2, 1, np.inf), "centre: coordinate 1 is inf"),
        (lambda: tain.ball(dim=2, form="round"), "unknown form 'round'"),
        (lambda: tain.product(), "no factor"),
        (lambda: tain.product(tain.simplex(3), 3), "3 is no set"),
        (lambda: tain.product(tain.simplex(), tain.simplex(3)), "how many coordinates its simplex has is not known"),
        (lambda: tain.affine(3, np.eye(2)), "3 is no set"),
        (lambda: tain.affine(tain.ball(dim=2), np.eye(3)), "implies dimension 3"),
        (lambda: tain.affine(tain.ball(dim=2), [[1, 2], [2, 4]]), "matrix: is singular"),
        (lambda: tain.affine(tain.ball(dim=2), [1, 2]), "give a matrix"),
        (lambda: tain.affine(tain.ball(dim=2), np.eye(2), [1, 2, 3]), "shift: 4 matrix entries and 3 shifts"),
        (lambda: tain.simplex(3).contains([0.5, 0.5]), "a point of 2 numbers is asked for in 3 dimensions"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(tain.InputError, match=message):
        call()


def test_a_product_of_a_list():
    assert tain.product([tain.simplex(3), tain.ball(dim=2)]).dim == 5


def test_a_product_with_names():
    where = tain.product(w=tain.simplex(3), sigma=tain.positive())
    assert where.names == ["w", "sigma"] and where.dim == 4
    result = tain.sample(tain.gaussian(), {"w": tain.simplex(3), "sigma": tain.positive()}, draws=50, warmup=50)
    assert result.names == ["w[1]", "w[2]", "w[3]", "sigma"]
    assert result["w"].shape == (4, 50, 3) and result["sigma"].shape == (4, 50)
    assert (result["w"] == result.draws[:, :, :3]).all() and (result["sigma"] == result.draws[:, :, 3]).all()
    with pytest.raises(KeyError, match="'sigam' is no parameter of the run; did you mean 'sigma'"):
        result["sigam"]
    same = tain.sample(tain.gaussian(), where, draws=50, warmup=50)
    assert same.draws.tobytes() == result.draws.tobytes()


def test_files_have_a_variable_for_every_parameter(tmp_path):
    xarray = pytest.importorskip("xarray")
    where = {"w": tain.simplex(3), "sigma": tain.positive()}
    result = tain.sample(tain.gaussian(), where, draws=50, warmup=50, output=tmp_path / "draws.nc")
    with xarray.open_dataset(tmp_path / "draws.nc", group="posterior") as posterior:
        assert posterior["w"].shape == (4, 50, 3) and posterior["sigma"].shape == (4, 50)
        assert posterior["sigma"].values.tobytes() == result["sigma"].tobytes()
        assert "x" not in posterior
    assert tain.diagnose(tmp_path / "draws.nc").summary()["rhat"] is not None


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: tain.product(tain.simplex(3), s=tain.positive()), "some parts have names and others have none"),
        (lambda: tain.product({"a b": tain.simplex(3)}), "'a b' is no name of a parameter"),
        (lambda: tain.product({"": tain.simplex(3)}), "'' is no name of a parameter"),
        (lambda: tain.product({"\ud800": tain.simplex(3)}), "is no name of a parameter"),
        (lambda: tain.product({1: tain.simplex(3)}), "1 is no name of a parameter"),
        (lambda: tain.product(w=3), "3 is no set"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(3), domain=tain.simplex(3)), "domain: is an old name of set; give set only"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(3), names=["a", "a", "b"]), "names: has 'a' twice"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(3), names=["a"]), "names: has 1 entries for 3 coordinates"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(2), names=["a", "\ud800"]), "names: has half a character"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(2), names=["a", "b\0"]), "names: that of coordinate 2 is"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(2), names={}), "names: a dict is no list"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(2), thin=b"x"), "thin: a bytes is not a number"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(2), report=0), "report: a int is no path"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(3), start=[2, 3, 4]), "start: the point is not strictly inside"),
        (lambda: tain.sample(tain.gaussian(dim=2), tain.simplex(3)), "target gaussian: implies dimension 2, but simplex.3. implies 3"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(3), resume=True), "resume: needs the output"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(3), replacement=[]), "replacement: a list is neither True nor False"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(3), progress=1.5), "progress: a float shows nothing"),
        (lambda: tain.real(10**12), "more than a run can have"),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(3), output="d.nc", resume=True, overwrite=True), "contradicts overwrite=True"),
    ],
)
def test_wrong_use_of_names_and_sets(call, message):
    with pytest.raises(tain.InputError, match=message):
        call()


@pytest.mark.parametrize(
    "call, field",
    [
        (lambda taken: tain.sample(tain.gaussian(), tain.simplex(3), kernel="hcm"), "kernel"),
        (lambda taken: tain.sample(tain.gaussian(), tain.simplex(3), output=taken), "output"),
        (lambda taken: tain.sample(tain.gaussian(), tain.simplex(3), output=taken.parent / "no" / "d.nc"), "output"),
        (lambda taken: tain.sample(tain.gaussian(), tain.simplex(3), report=taken), "report"),
        (lambda taken: tain.sample(tain.gaussian(), tain.simplex(3), output=7), "output"),
        (lambda taken: tain.sample(tain.gaussian(), tain.simplex(3), draws=20, warmup=20).save(taken), "path"),
        (lambda taken: tain.sample(tain.uniform(), tain.real(2)), "target"),
        (lambda taken: tain.product({"a b": tain.simplex(3)}), "name"),
        (lambda taken: tain.product({"chain": tain.simplex(3)}), "name"),
        (lambda taken: tain.ball(2, form="round"), "form"),
        (lambda taken: tain.ball(2, radius="wide"), "radius"),
        (lambda taken: tain.simplex(3).point(-1), "seed"),
        (lambda taken: tain.simplex(3).point(seed="one"), "seed"),
        (lambda taken: tain.box(0, 1).centre(2.5), "dim"),
        (lambda taken: tain.box(0, 1).centre(dim=0), "dim"),
        (lambda taken: tain.simplex(3).centre(dim=4), "dim"),
    ],
)
def test_errors_tell_the_argument(call, field, tmp_path):
    (tmp_path / "d.nc").write_text("taken")
    with pytest.raises(tain.Error) as caught:
        call(tmp_path / "d.nc")
    assert caught.value.field == field
    assert isinstance(caught.value, tain.FileError if "exist" in str(caught.value) else ValueError)


def test_balls_take_their_numbers_in_the_order_of_cpp():
    assert repr(tain.ball(3, 2.0, [1, 0, 0])) == "<tain.Set ball(3)>"
    assert tain.ball(2, 3).contains([2.5, 0]) and not tain.ball(2).contains([2.5, 0])
    assert tain.ball(centre=[5, 0], radius=2).contains([6.5, 0])


@pytest.mark.parametrize(
    "use, new",
    [
        (lambda: tain.whole(2), "tain.real"),
        (lambda: tain.orthant(2), "tain.positive"),
        (lambda: isinstance(tain.real(), tain.Domain), "tain.Set"),
        (lambda: isinstance(tain.gaussian(), tain.OpenTarget), "tain.TargetFamily"),
        (lambda: tain.ExactRow, "tain.ExactMoment"),
        (lambda: tain.sample(tain.gaussian(), domain=tain.simplex(2), draws=20, warmup=20), "set="),
        (lambda: tain.sample(tain.gaussian(), tain.simplex(2), draws=20, warmup=20, force=True), "overwrite="),
    ],
)
def test_names_of_one_version_ago_work_and_tell_the_new_one(use, new):
    with pytest.warns(DeprecationWarning, match=f"old name; write {new}") as caught:
        assert use()
    assert caught[0].filename == __file__


def test_a_name_that_is_none_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'hole'"):
        tain.hole


def test_a_finished_run_on_another_set_is_not_taken_for_this_one(tmp_path):
    options = dict(chains=2, warmup=20, draws=20, output=tmp_path / "d.nc")
    tain.sample(tain.gaussian(), tain.box(-1, 1, dim=2), **options)
    assert tain.sample(tain.gaussian(), tain.box(-1, 1, dim=2), **options, resume=True).finished
    for target, where in (
        (tain.gaussian(), tain.box(-2, 2, dim=2)),
        (tain.gaussian(sd=3.0), tain.box(-1, 1, dim=2)),
        (tain.gaussian(), {"a": tain.box(-1, 1), "b": tain.box(-1, 1)}),
    ):
        with pytest.raises(tain.InputError, match="was .*, now it is"):
            tain.sample(target, where, **options, resume=True)
