"""Wrapped functions where generalized ufuncs are used: Dask on a cluster, xarray, thread pools."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

CASE = Path(__file__).parent / "cases" / "broadcast"


@pytest.fixture(scope="module")
def broadcast(build, tmp_path_factory):
    """The module of the case, built and imported; worker processes find it too."""
    out = tmp_path_factory.mktemp("users")
    done = build(CASE, "broadcast.toml", out)
    assert done.returncode == 0, done.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(out))
        patch.syspath_prepend(out)
        yield importlib.import_module("broadcast")


def test_dask_cluster(broadcast) -> None:
    """Functions go to other processes by name, and map over the blocks of arrays there."""
    array = pytest.importorskip("dask.array")
    distributed = pytest.importorskip("distributed")
    rng = np.random.default_rng(0)
    a, x = rng.random((40, 3, 4)), rng.random((40, 4))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        mapped = array.apply_gufunc(
            broadcast.matvec,
            broadcast.signature.matvec,
            array.from_array(a, chunks=(7, 3, 4)),
            array.from_array(x, chunks=(7, 4)),
            output_dtypes=float,
        )
        np.testing.assert_allclose(mapped.compute(), np.einsum("kij,kj->ki", a, x))
        squares = array.from_array(x, chunks=(9, 2)).map_blocks(broadcast.square, dtype=float)
        np.testing.assert_allclose(squares.compute(), x**2)


def test_xarray(broadcast) -> None:
    """`apply_ufunc`, with core dimensions by name."""
    xarray = pytest.importorskip("xarray")
    x = xarray.DataArray(np.arange(12.0).reshape(3, 4), dims=("row", "column"))
    sums = xarray.apply_ufunc(broadcast.weigh, x, input_core_dims=[["column"]])
    np.testing.assert_allclose(sums, x.sum("column"))
    squares = xarray.apply_ufunc(broadcast.square, x)
    assert squares.dims == x.dims
    np.testing.assert_allclose(squares, x**2)


def test_thread_pool_control(broadcast) -> None:
    """The number of threads follows a limit that a controller sets, and OMP_NUM_THREADS."""
    threadpoolctl = pytest.importorskip("threadpoolctl")

    class Fishplate(threadpoolctl.LibController):
        user_api = "fishplate"
        internal_api = "fishplate"
        filename_prefixes = ("broadcast",)
        check_symbols = ("fishplate_get_num_threads", "fishplate_set_num_threads")

        def get_num_threads(self):
            return self.dynlib.fishplate_get_num_threads()

        def set_num_threads(self, count):
            self.dynlib.fishplate_set_num_threads(count)

        def get_version(self):
            return None

    threadpoolctl.register(Fishplate)

    def threads() -> int:
        (found,) = [
            info for info in threadpoolctl.threadpool_info() if info["user_api"] == "fishplate"
        ]
        return found["num_threads"]

    assert threads() >= 1
    with threadpoolctl.threadpool_limits(limits=1):
        assert threads() == 1
        np.testing.assert_allclose(broadcast.square(np.arange(1e6)), np.arange(1e6) ** 2)
    with threadpoolctl.threadpool_limits(limits=3, user_api="fishplate"):
        assert threads() == 3
    code = (
        "import ctypes, broadcast\n"
        "print(ctypes.CDLL(broadcast.__file__).fishplate_get_num_threads())"
    )
    limited = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "OMP_NUM_THREADS": "5"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert limited.stdout.strip() == "5"
