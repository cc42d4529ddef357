"""Opens what write_example_draws wrote with the libraries users have, and compares the formats."""
import pathlib
import sys

import numpy
import xarray

folder = pathlib.Path(sys.argv[1])
x = numpy.load(folder / "draws.npy")
assert x.shape == (4, 25, 3) and x.dtype == "<f8", (x.shape, x.dtype)

posterior = xarray.open_dataset(folder / "draws.nc", group="posterior")
assert posterior["x"].dims == ("chain", "draw", "x_dim_0"), posterior["x"].dims
for name, length in [("chain", 4), ("draw", 25), ("x_dim_0", 3)]:
    assert (posterior.coords[name].values == numpy.arange(length)).all(), name
assert (posterior["x"].values == x).all()
assert posterior.attrs["inference_library"] == "tain"
assert posterior.attrs["kernel"] == "mala"
assert int(posterior.attrs["seed"]) == 2**64 - 1
assert "created_at" not in posterior.attrs

dual = xarray.open_dataset(folder / "draws.nc", group="unconstrained_posterior")
assert dual["y"].dims == ("chain", "draw", "y_dim_0") and dual["y"].shape == (4, 25, 2)
assert dual.attrs["map"] == "simplex"

statistics = xarray.open_dataset(folder / "draws.nc", group="sample_stats")
for name in ["lp", "acceptance_rate", "diverging", "step_size"]:
    assert statistics[name].dims == ("chain", "draw"), name
assert statistics["diverging"].dtype == bool, statistics["diverging"].dtype
assert 0 < statistics["diverging"].values.sum() < 100
assert (statistics["step_size"].values == 0.1).all()

named = xarray.open_dataset(folder / "named.nc", group="posterior")
assert list(named.coords["x_dim_0"].values) == ["alpha", "beta[1]", "beta[2]"]
assert (named["x"].sel(x_dim_0="beta[1]").values == x[:, :, 1]).all()

with open(folder / "draws.csv") as lines:
    rows = [line.strip().split(",") for line in lines if not line.startswith("#")]
table = {name: numpy.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}
for i in range(3):
    assert (table[f"x.{i + 1}"] == x[:, :, i].ravel()).all()
for column, name in [("lp__", "lp"), ("accept_stat__", "acceptance_rate"), ("divergent__", "diverging")]:
    assert (table[column] == statistics[name].values.ravel()).all(), column
assert (table["chain__"] == numpy.repeat([1, 2, 3, 4], 25)).all()
assert len(list(folder.glob("chain_?.csv"))) == 4
print("all formats agree")
