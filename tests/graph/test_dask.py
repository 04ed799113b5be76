"""Functions map over Dask's arrays, in threads and in other processes."""

import fishplate.graph as g
import numpy as np
import pytest
from support import LINKERS, same

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

pytestmark = pytest.mark.parametrize("linker", LINKERS)


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as connected,
    ):
        yield connected


def function(linker):
    x, y = g.matrix("x"), g.matrix("y")
    return g.function([x, y], g.exp(-x) * y + x.mean(1, keepdims=True), linker=linker)


X = np.arange(24.0).reshape(4, 6) / 10
WANTED = np.exp(-X) * X + X.mean(1, keepdims=True)


def test_threads(linker):
    a = da.from_array(X, chunks=(2, 6))
    same(
        da.map_blocks(function(linker), a, a, dtype=float).compute(scheduler="threads"),
        WANTED,
        1e-14,
    )


def test_processes(linker, client):
    a = da.from_array(X, chunks=(1, 6))
    same(da.map_blocks(function(linker), a, a, dtype=float).compute(), WANTED, 1e-14)
    f = function(linker)
    same(
        da.blockwise(f, "ij", a, "ij", a, "ij", dtype=float, concatenate=True).compute(),
        WANTED,
        1e-14,
    )


def test_ops_that_workers_cannot_import(linker, client):
    class Twice(g.Op):
        __props__ = ()

        def make_node(self, x):
            return g.Apply(self, [x], [x.type()])

        def perform(self, node, inputs, storage):
            storage[0][0] = 2 * inputs[0]

    x = g.matrix("x")
    f = g.function([x], Twice()(x), linker="perform")
    a = da.from_array(X, chunks=(2, 3))
    same(da.map_blocks(f, a, dtype=float).compute(), 2 * X)
