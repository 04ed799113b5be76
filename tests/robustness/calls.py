"""Random calls of a suite's functions, compared with their expected outcome."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import items
import numpy as np
import present
from containers import Interface, Tensor, plain
from items import Map
from layout import FORMS, lay_out, random_values
from model import Call, Given, Outcome, evaluate
from present import Shown
from spec import EXCLUSIVE, Arg, Function, Proto


@dataclass
class Made:
    """A call ready to be made, and its expected outcome."""

    function: Function
    args: list[object]
    kwargs: dict[str, object]
    given: dict[str, Given]
    outcome: Outcome
    # Set if the call itself is malformed: the content of the message.
    says: tuple[str, ...] = ()
    story: str = ""

    def objects(self) -> list[object]:
        return [*self.args, *self.kwargs.values()]

    def filled(self) -> set[str]:
        """The buffers that are filled before the call."""
        args = [arg for proto in self.function.protos for arg in proto.buffers()]
        return {arg.name for arg in args if arg.default is not None}

    def is_written(self, name: str) -> bool:
        args = [arg for proto in self.function.protos for arg in proto.args if arg.name == name]
        return name == "result" or any(arg.is_written or arg.intent == "out" for arg in args)

    def __str__(self) -> str:
        shown = {name: (g.form, g.value) for name, g in self.given.items()}
        protos = "\n".join(proto.text() for proto in self.function.protos)
        return f"{protos}\n{self.function.name} {self.story}: {shown}"


def told_shape(proto: Proto, arg: Arg, dims: dict[str, int]) -> tuple[int, ...]:
    """The shape that fits, if dims alone determine it; anything for array properties, whose arrays
    were chosen before."""
    shapes: dict[str, tuple[int, ...]] = {}
    for other in proto.args:
        if other.is_array:
            # Only earlier arrays: random_proto makes array properties in this order.
            if other.name == arg.name:
                break
            shapes[other.name] = tuple(max(0, evaluate(text, dims, shapes)) for text in other.shape)
    return tuple(max(0, evaluate(text, dims, shapes)) for text in arg.shape)


def random_dims(r: Random, proto: Proto) -> dict[str, int]:
    dims = {name: r.choice([0, 1, 1, 2, 2, 3, 4]) for name in ("n", "m", "k")}
    for arg in proto.args:
        if arg.is_dim and arg.default is not None and r.random() < 0.5:
            dims[arg.name] = int(arg.default)
    return dims


def _values(r: Random, proto: Proto, spoil: str | None) -> dict[str, Given]:
    """A value for each parameter; `spoil` names the one that must be refused."""
    dims = random_dims(r, proto)
    given: dict[str, Given] = {}
    required = {arg.name for arg in proto.required()}
    for arg in [*proto.required(), *proto.optional(), *proto.buffers()]:
        optional = arg.name not in required
        if arg.name == spoil:
            if not optional and r.random() < 0.1:
                given[arg.name] = Shown(None, None, (TypeError,), "None")
            elif arg.is_array:
                given[arg.name] = present.wrong_array(r, arg, told_shape(proto, arg, dims))
            else:
                given[arg.name] = present.wrong_scalar(r, arg)
            continue
        if optional and not (arg.is_dim and dims[arg.name] != int(arg.default or 0)):
            roll = r.random()
            if roll < 0.35:
                continue
            if roll < 0.45:
                given[arg.name] = Shown(None, None, (), "None")
                continue
        if arg.is_array:
            shape = list(told_shape(proto, arg, dims))
            if r.random() < 0.06:  # perhaps wrong: the model decides
                shape[r.randrange(len(shape))] += r.choice([1, 2])
            given[arg.name] = present.array(r, arg, tuple(shape))
        elif arg.is_dim:
            negative = arg.scalar.kind == "i" and r.random() < 0.05
            given[arg.name] = present.scalar(r, arg, -1 if negative else dims[arg.name])
        else:
            given[arg.name] = present.scalar(r, arg)
    return given


def _item_values(
    r: Random, proto: Proto, spoil: str | None, numbers: list[Arg]
) -> dict[str, Given]:
    """The same for a function with `ellipses`, also into buffers for numbers."""
    dims, shape = random_dims(r, proto), items.lead(r)
    given: dict[str, Given] = {}
    required = {arg.name for arg in proto.required()}
    shared = proto.shared()
    for arg in [*proto.required(), *proto.optional(), *proto.buffers(), *numbers]:
        core = told_shape(proto, arg, dims) if arg.is_array else ()
        value = dims[arg.name] if arg.is_dim else None
        if arg.name == spoil:
            given[arg.name] = items.wrong(r, arg, shape, core, arg.name in shared)
            continue
        if arg.name not in required and not (arg.is_dim and value != int(arg.default or 0)):
            roll = r.random()
            if roll < 0.35:
                continue
            if roll < 0.45:
                given[arg.name] = Shown(None, None, (), "None")
                continue
        if arg.is_array and r.random() < 0.03:  # perhaps wrong: the model decides
            core = (*core[:-1], core[-1] + 1)
        if numbers and value is None and arg.intent in EXCLUSIVE and not arg.is_array:
            given[arg.name] = items.array(r, arg, shape)  # of one item too: C writes to it itself
            continue
        given[arg.name] = items.good(r, arg, shape, core, value, arg.name in shared)
    return given


def _place(
    r: Random, proto: Proto, given: dict[str, Given]
) -> tuple[list[object], dict[str, object]]:
    """Some by position, the rest by keyword in any order."""
    order = [arg.name for arg in [*proto.required(), *proto.optional()]]
    args: list[object] = []
    by_position = r.choice([0, len(order), len(order), r.randint(0, len(order))])
    for name in order[:by_position]:
        if name not in given:
            break
        args.append(given[name].value)
    rest = [name for name in given if name not in order[: len(args)]]
    r.shuffle(rest)
    return args, {name: given[name].value for name in rest}


def _malform(r: Random, made: Made, proto: Proto) -> None:
    """Spoils the call's form: too many, too few, unknown, twice."""
    required = [arg.name for arg in proto.required()]
    most = len(required) + len(proto.optional())
    forms = ["unknown", "many"]
    if required:
        forms.append("few")
    if made.args:
        forms.append("twice")
    form = r.choice(forms)
    names = [arg.name for arg in [*proto.required(), *proto.optional()]]
    if form == "unknown":
        made.kwargs["nonesuch"] = 1
        made.says = ("nonesuch",)
    elif form == "many":
        made.args = [*made.args, *([0] * (most + 1 - len(made.args)))]
        made.kwargs = {}
        made.says = ("positional",)
    elif form == "twice":
        made.kwargs[names[0]] = made.args[0]
        made.says = (f"'{names[0]}'",)
    else:
        name = r.choice(required)
        index = names.index(name)
        if index < len(made.args):
            made.args = made.args[:index]
            made.kwargs = {}
            made.says = ()
        else:
            made.kwargs.pop(name)
            made.says = ()
    made.outcome = Outcome(errors=[(TypeError, None)])
    made.story = form


def select(function: Function, given: dict[str, Given], names: list[str]) -> Proto | None:
    """The overload that NumPy's casting rules choose: best worst fit, then the kind of the
    layout, then the first of equals."""
    best, best_score = None, 0
    for index, proto in enumerate(function.protos):
        parameters = [*proto.required(), *proto.optional(), *proto.buffers()]
        by_name = {arg.name: arg for arg in parameters}
        if any(name not in by_name for name in names):
            continue
        if any(arg.name not in names for arg in proto.required()):
            continue
        fits = [3]
        layout = {"C", "Fortran"}
        for name in names:
            arg, value = by_name[name], given[name].value
            if value is None:
                fits.append(3 if arg not in proto.required() else 0)
                continue
            array = plain(value)
            ndim, dtype = array.ndim, array.dtype
            if arg.is_array:
                flags = array.flags
                lies = {"C"} if flags.c_contiguous else set()
                lies |= {"Fortran"} if flags.f_contiguous else set()
                layout &= lies
            if ndim != len(arg.shape):
                fits.append(0)
            elif dtype.newbyteorder("=") == arg.scalar.dtype:
                fits.append(3)
            elif arg.is_written or arg.intent == "out":
                fits.append(0)
            elif np.can_cast(dtype, arg.scalar.dtype, "safe"):
                fits.append(2)
            elif ndim == 0 and dtype.kind in "iu" and arg.scalar.kind in "iu":
                fits.append(1)  # read with a range check
            elif dtype == np.float64 and ndim == 0 and arg.scalar.dtype == np.float32:
                fits.append(1)
            else:
                fits.append(0)
        score = 8 * min(fits) + _suits(function, index, layout)
        if min(fits) > 0 and score % 8 > 0 and score > best_score:
            best, best_score = proto, score
    return best


def _suits(function: Function, index: int, layout: set[str]) -> int:
    """How well a prototype's kind suits the layouts of the arrays; 0: not at all."""
    kind = function.kinds[index] if function.kinds else "Strided"
    if kind in layout:
        return 2 if kind == "Fortran" and "C" in layout else 3
    if kind != "Strided":
        return 0
    return 1 if layout else 3


def cast(arg: Arg, shown: Given) -> None:
    """Casts an argument of another accepted type as C receives it, or marks it as out of range."""
    logical = np.asarray(shown.logical)
    if not arg.is_array and arg.scalar.kind in "iu" and logical.dtype.kind in "iu":
        info = np.iinfo(arg.scalar.dtype)
        if not info.min <= int(logical) <= info.max:
            shown.refused = (OverflowError,)
            return
    with np.errstate(all="ignore"):
        become = logical.astype(arg.scalar.dtype)
    if not arg.is_array and np.isfinite(logical) and not np.isfinite(become):
        shown.refused = (OverflowError,)
    shown.logical = become


def _overloaded(r: Random, function: Function) -> Made:
    """A call of one overload, perhaps spoiled so that another or none takes it."""
    aim = r.choice(function.protos)
    shape = tuple(r.choice([0, 1, 2, 3]) for _ in range(r.randint(0, 2)))
    given: dict[str, Given] = {}
    for arg in [*aim.required(), *aim.optional(), *aim.buffers()]:
        if arg.name != "x" and r.random() < 0.6:
            continue
        dtype = arg.scalar.dtype if r.random() < 0.7 else np.dtype(r.choice(present.DTYPES))
        if arg.is_array and (arg.name == "y" or r.random() < 0.9):
            shape = shape if len(shape) == len(arg.shape) else (2,) * len(arg.shape)
        else:
            shape = () if not arg.is_array else shape
        values = random_values(r, shape if arg.is_array else (), dtype)
        form = "exact" if arg.intent == "inout" else r.choice(FORMS)
        # 0-d bools are in test_edges.py: an integer parameter does not take them yet.
        if arg.is_array and (values.ndim > 0 or values.dtype != bool):
            laid = lay_out(r, values, form)
            given[arg.name] = Shown(present.dressed(r, laid), values, (), form, laid)
        else:
            given[arg.name] = Shown(values.ravel()[0], values, (), "scalar")
    names = list(given)
    proto = select(function, given, names)
    made = Made(function, [], {}, given, Outcome())
    made.args = [given["x"].value]
    made.kwargs = {name: given[name].value for name in names if name != "x"}
    if proto is None:
        made.outcome = Outcome(errors=[(TypeError, None)])
        made.says = ("no overload", *(f"{function.name}(x: " for _ in function.protos))
        return made
    for name, arg in {arg.name: arg for arg in proto.args}.items():
        shown = given.get(name)
        if shown is None or shown.logical is None:
            continue
        cast(arg, shown)
    made.outcome = Call(proto, given).run(function.returns)
    return made


def _of_a_kind(r: Random, function: Function) -> Made:
    """A call whose arrays have one layout, or several."""
    given: dict[str, Given] = {}
    dims = {"n": r.choice([0, 1, 2, 3]), "m": r.choice([1, 2, 2, 3])}
    proto: Proto | None = function.protos[0]
    assert proto is not None
    form = r.choice(["exact", "fortran", "strided", "mixed"])
    for arg in [*proto.required(), *proto.buffers()]:
        if arg.intent == "out" and r.random() < 0.6:
            continue
        values = random_values(r, tuple(dims[dim] for dim in arg.shape), arg.scalar.dtype)
        laid = lay_out(r, values, form if r.random() < 0.8 else r.choice(FORMS))
        value: object = laid.array
        if r.random() < 0.2:
            value = r.choice([memoryview, Interface, Tensor])(laid.array)
        given[arg.name] = Shown(value, values, (), form, laid)
    proto = select(function, given, list(given))
    made = Made(
        function, [], {name: shown.value for name, shown in given.items()}, given, Outcome()
    )
    if proto is None:
        made.outcome = Outcome(errors=[(TypeError, None)])
        made.says = ("no overload",)
    else:
        made.outcome = Call(proto, given).run(None)
    return made


def make(r: Random, function: Function) -> Made:
    """A random call."""
    if function.kinds:
        return _of_a_kind(r, function)
    if len(function.protos) > 1:
        return _overloaded(r, function)
    proto = function.protos[0]
    # Half of the calls have no buffer: a buffer makes any call a batch.
    numbers = proto.item_buffers(function.returns) if function.maps and r.random() < 0.5 else []
    parameters = [*proto.required(), *proto.optional(), *proto.buffers(), *numbers]
    spoil = r.choice(parameters).name if parameters and r.random() < 0.35 else None
    given = _item_values(r, proto, spoil, numbers) if function.maps else _values(r, proto, spoil)
    args, kwargs = _place(r, proto, given)
    call = Map(proto, given, function.returns)
    outcome = call.run() if function.maps else Call(proto, given).run(function.returns)
    made = Made(function, args, kwargs, given, outcome)
    if outcome.failed is not None:
        made.says = (f"(item {outcome.failed})" if call.in_c_order() else "(item ",)
    if spoil is None and r.random() < 0.08:
        _malform(r, made, proto)
    return made


# ---- Checks --------------------------------------------------------------------------------------


def same(got: object, wanted: object) -> bool:
    """Equal values of equal type; NaN equals NaN."""
    if wanted is None:
        return got is None
    wanted_array, got_array = np.asarray(wanted), plain(got)
    if got_array.shape != wanted_array.shape:
        return False
    if isinstance(got, np.ndarray) and got_array.dtype.newbyteorder("=") != wanted_array.dtype:
        return False
    with np.errstate(all="ignore"):
        return bool(
            np.array_equal(got_array, wanted_array, equal_nan=wanted_array.dtype.kind in "fc")
        )


def check_inputs(made: Made, changed: bool) -> None:
    """Nothing has changed but the outcome's `written` arrays."""
    for name, shown in made.given.items():
        laid = shown.laid if isinstance(shown, Shown) else None
        if laid is None:
            continue
        written = made.outcome.written.get(name) if changed else None
        if written is None:
            # If C itself reports the error, it was called with the filled buffers.
            refused_by_c = any(error is RuntimeError for error, _ in made.outcome.errors)
            if not changed and refused_by_c and name in made.filled():
                continue
            if not changed and made.outcome.failed is not None and made.is_written(name):
                continue  # the items before the one that failed are done
            assert laid.unchanged(), f"argument {name} changed: {made}"
        else:
            assert laid.holds(written), f"argument {name} should be {written}: {made}"


def check_error(made: Made, error: BaseException) -> None:
    """The exception is one of the expected ones, and names the function and the argument."""
    text = str(error)
    wanted = [name for exception, name in made.outcome.errors if type(error) is exception]
    assert wanted, f"{error!r}, wanted {made.outcome.errors or made.outcome.results}: {made}"
    function = made.function.name
    assert f"{function}(" in text, f"no function in {text!r}: {made}"
    named = any(name is None or f"argument '{name}'" in text for name in wanted)
    assert named, f"{text!r} names none of {wanted}: {made}"
    assert all(part in text for part in made.says), f"{text!r} does not say {made.says}: {made}"
    assert len(text) < 2000, f"a message of {len(text)} characters: {made}"


def check_results(made: Made, result: object) -> None:
    wanted = made.outcome.results
    assert not made.outcome.errors, f"{result!r}, wanted {made.outcome.errors}: {made}"
    got = [] if not wanted else [result] if len(wanted) == 1 else list(result)  # type: ignore[call-overload]
    if not wanted:
        assert result is None, f"{result!r}, wanted None: {made}"
    if len(wanted) > 1:
        assert type(result) is tuple, f"{result!r} is no tuple: {made}"
    assert len(got) == len(wanted), f"{result!r}, wanted {wanted}: {made}"
    for one, other in zip(got, wanted, strict=True):
        assert same(one, other), f"{one!r}, wanted {other!r}: {made}"


def counts(made: Made) -> list[int]:
    """The references to each argument that is not shared, unlike numbers and None."""
    shared = (bool, int, float, complex, str, bytes, type(None), np.bool_)
    objects = made.objects()
    return [0 if isinstance(value, shared) else sys.getrefcount(value) for value in objects]


def explain(made: Made, callee: Callable[..., object]) -> BaseException | str:
    """Explains the call: its errors are those before C is called, and nothing changes."""
    before = counts(made)
    by_c = made.outcome.failed is not None
    by_c |= any(error is RuntimeError for error, _ in made.outcome.errors)
    explained = getattr(callee.__self__.explain, callee.__name__)  # type: ignore[attr-defined]
    explanation: BaseException | str
    try:
        explanation = explained(*made.args, **made.kwargs)
    except Exception as error:  # which it may be is checked
        assert not by_c, f"{error!r} from an explanation: {made}"
        check_error(made, error)
        explanation = error.with_traceback(None)
    else:
        assert by_c or not made.outcome.errors, f"wanted {made.outcome.errors}: {made}"
        called = [proto for proto in made.function.protos if f"{proto.c_name}(" in explanation]
        assert explanation.startswith(f"{made.function.name}(") and len(called) == 1, explanation
        assert "\n  kind   " in explanation and "\n  GIL    " in explanation, explanation
    for name, shown in made.given.items():
        laid = shown.laid if isinstance(shown, Shown) else None
        assert laid is None or laid.unchanged(), f"argument {name} changed: {made}"
    assert counts(made) == before, f"references: {made}"
    return explanation


def perform(made: Made, callee: Callable[..., object]) -> BaseException | object:
    """Makes the call and checks all of it; returns its result."""
    before = counts(made)
    try:
        result: object = callee(*made.args, **made.kwargs)
    except Exception as error:  # which it may be is checked
        check_error(made, error)
        check_inputs(made, changed=False)
        result = error.with_traceback(None)
    else:
        check_results(made, result)
        check_inputs(made, changed=True)
    parts = result if isinstance(result, tuple) else (result,)
    # A buffer that is the only result is referenced by `result` and by `parts`.
    holders = 1 if isinstance(result, tuple) else 2
    returned = [holders * sum(part is value for part in parts) for value in made.objects()]
    more = [now - then for now, then in zip(counts(made), before, strict=True)]
    for extra, allowed, value in zip(more, returned, made.objects(), strict=True):
        assert extra in {0, allowed}, f"{extra:+} references to {value!r}: {made}"
    return result
