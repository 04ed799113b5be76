import inspect

import names as m

ALL = 54321

parameters = {
    m.python_words: "lambda_, class_, match, print, None_",
    m.our_words: "in_, out, hidden, fortran, status",
    m.c_macros: "I, N, EOF, NULL, errno",
    m.cxx_words: "new, this, template, namespace, delete",
    m.generated: "args, result, module, slots, given",
    m.generated_too: "keywords, thread, items, c_result, fp_signed",
    m.underscores: "x, x_, _x, x__, __x",
    m.itself: "itself, sum5, b, c, d",
    m.sum5: "a, b, c, d, e",
}
for function, expected in parameters.items():
    assert str(inspect.signature(function)) == f"({expected})", function
    assert function(1, 2, 3, 4, 5) == ALL, function
    by_name = dict(zip(expected.split(", "), (1, 2, 3, 4, 5)))
    assert function(**by_name) == ALL, function

x, y = m.shapes(3)
assert x.tolist() == [1] * 3 and y.tolist() == [2] * 3
assert m.__doc__ == 'Names "quoted", with a back\\slash, a ??= trigraph, and grüße.', m.__doc__
