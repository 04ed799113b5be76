"""Random programs return NumPy's results: linked, node by node, and with each rewrite left out."""

import os

import fishplate.graph as g
import numpy as np
import pytest
from programs import RandomProgram

#: The first seed and how many: `cargo xtask soak` asks for others.
FIRST, COUNT = map(int, os.environ.get("FISHPLATE_PROGRAMS", "0 20").split())
SEEDS = range(FIRST, FIRST + COUNT)


def rewrites():
    """The names of all rewrites, as the error lists them."""
    x = g.scalar("x")
    with pytest.raises(ValueError, match="unknown rewrite") as error:
        g.function([x], x, exclude=["?"])
    return str(error.value).split("the rewrites are ")[1].split(", ")


def run(programs, static, **options):
    """Several programs in one function, twice; arguments stay as they were."""
    inputs, outputs, wanted = [], [], []
    for program in programs:
        variables = program.variables(static)
        made = program.apply(variables)
        inputs += variables
        wanted.append(program.wanted())
        outputs += [made[number] for number in wanted[-1]]
    f = g.function(inputs, outputs, on_unused_input="ignore", **options)
    arguments = [argument for program in programs for argument in program.arguments]
    before = [argument.copy() for argument in arguments]
    for _ in range(2):
        results = f(*arguments)
        for program, numbers in zip(programs, wanted, strict=True):
            program.check(results[: len(numbers)], numbers)
            results = results[len(numbers) :]
    for argument, copy in zip(arguments, before, strict=True):
        np.testing.assert_array_equal(argument, copy)
    return f


@pytest.mark.parametrize("seed", SEEDS)
def test_linked(seed):
    f = run([RandomProgram(seed)], static=bool(seed % 2))
    assert isinstance(f.explain(), str)


def test_node_by_node():
    for seed in SEEDS:
        run([RandomProgram(seed)], static=bool(seed % 2), linker="perform")


@pytest.mark.parametrize("name", [*rewrites(), None])
def test_a_rewrite_left_out(name):
    exclude = [name] if name else rewrites()
    f = run(
        [RandomProgram(10_000 + FIRST + seed, 10) for seed in range(4)],
        static=False,
        exclude=exclude,
    )
    if name:
        assert f"{name}:" not in f.explain()
