"""First interfaces of real libraries: guessed, built as they are, and compared with NumPy.

The headers are Debian's zlib1g-dev, libopenblas-dev, liblapacke-dev, libfftw3-dev, libsqlite3-dev,
libgsl-dev, libexpat1-dev and liblz4-dev. Each draft that `fishplate init` makes of a whole header
must check, and its functions in the library must build; a handful of functions must also work.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from compilers import ALL

HEADER_FILES = Path(__file__).parent / "headers"


HEADERS = [
    *["zlib.h", "cblas.h", "lapacke.h", "fftw3.h", "sqlite3.h", "expat.h", "lz4.h", "lz4frame.h"],
    *["gsl/gsl_rng.h", "gsl/gsl_integration.h", "gsl/gsl_roots.h", "gsl/gsl_spline.h"],
]


WHOLE = [("zlib.h", "z"), ("expat.h", "expat"), ("lz4frame.h", "lz4"), ("sqlite3.h", "sqlite3")]
# Those that test_whole_headers_build drafts as well, and most headers of GSL: with `--all` only.
CHECKED = HEADERS if ALL else sorted({*HEADERS[:-3]} - dict(WHOLE).keys())


@pytest.mark.parametrize("header", CHECKED)
def test_whole_headers_check(header: str, first, fishplate: Path, tmp_path: Path) -> None:
    # Not as the header: `check` warns of modules that hide one of the standard library, as zlib.
    file = first(header, "--name", "drafted")
    done = subprocess.run(
        [fishplate, "check", file], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("header", "library"), WHOLE)
def test_whole_headers_build(header: str, library: str, works) -> None:
    """As `cargo xtask corpus` does with many libraries, with those that the tests need anyway."""
    works("import whole", header, "--name=whole", f"--library={library}")


def test_zlib(works) -> None:
    works(
        """
import zlib
import numpy as np
import firstz as m

text = np.frombuffer(b"hello, world" * 9, np.uint8)
assert m.crc32(0, text) == zlib.crc32(text)
assert m.adler32(1, text) == zlib.adler32(text)
packed, length = m.compress(m.compressBound(text.size), text)
assert len(packed) == length and zlib.decompress(packed) == text.tobytes()
same, length = m.uncompress(200, packed)
assert same.tobytes() == text.tobytes()
try:
    m.uncompress(20, packed)
except RuntimeError as error:
    assert "buffer error" in str(error)
else:
    raise AssertionError("the buffer was too small")
assert m.BUF_ERROR == -5 and m.ZLIB_VERSION == m.zlibVersion()
with m.GzFile("text.gz", "wb") as file:
    assert m.gzwrite(file, b"hello") == 5
assert m.gzread(m.GzFile("text.gz", "rb"), 80) == b"hello"
""",
        "zlib.h",
        "--name=firstz",
        "--library=z",
    )


def test_sqlite(works) -> None:
    works(
        """
import firstsql as m

db = m.Sqlite3(":memory:")
seen = []
db.exec("create table t(x, y); insert into t values (1.5, 'a'), (null, 'b')", lambda *row: 0)
db.exec("select * from t", lambda values, names: seen.append((values, names)) or 0)
assert seen == [(["1.5", "a"], ["x", "y"]), ([None, "b"], ["x", "y"])], seen
statement, tail = db.prepare_v2("select x from t where y = 'a'; more")
assert tail == " more" and statement.sql() == "select x from t where y = 'a';"
assert statement.step() == m.ROW == 100 and statement.column_double(0) == 1.5
assert statement.step() == m.DONE and db.changes() == 2
db.close()
statement.close()
try:
    m.Sqlite3("/nowhere/at/all")
except RuntimeError as error:
    assert "unable to open" in str(error)
else:
    raise AssertionError("the folder does not exist")
""",
        "sqlite3.h",
        "--name=firstsql",
        "--library=sqlite3",
        "--only=sqlite3_(open|exec|prepare_v2|sql|step|column_.*|bind_.*|changes|errstr|value_.*)"
        "|SQLITE_(ROW|DONE)",
    )


def test_gsl(works) -> None:
    works(
        """
import math
import firstgsl as m

assert m.Rng(m.rng_mt19937).get() == 4293858116
r = m.Rng(m.rng_taus)
assert r.name() == "taus" and r.clone().get() == r.get()
work = m.IntegrationRombergWorkspace(12)
result, count, status = m.gsl_integration_romberg(math.sin, 0, math.pi, 1e-9, 1e-9, work)
assert status == 0 and abs(result - 2) < 1e-8 and count > 3
""",
        "gsl/gsl_rng.h",
        "gsl/gsl_integration.h",
        "--name=firstgsl",
        "--library=gsl",
        "--library=gslcblas",
    )


def test_expat(works) -> None:
    works(
        """
import firstexpat as m

parser = m.Parser("UTF-8")
assert parser.Parse(b"<a>text</a>", True) is m.Status.OK
other = m.Parser("UTF-8")
assert other.Parse(b"<a>text</b>", True) is m.Status.ERROR
assert m.XML_ErrorString(other.GetErrorCode()) == "mismatched tag"
assert (other.GetCurrentLineNumber(), other.GetErrorCode()) == (1, m.Error.TAG_MISMATCH)
version = m.XML_ExpatVersionInfo()
assert m.XML_ExpatVersion() == f"expat_{version.major}.{version.minor}.{version.micro}"
""",
        "expat.h",
        "--name=firstexpat",
        "--library=expat",
    )


def test_lz4(works) -> None:
    works(
        """
import firstlz4 as m

text = b"hello, world" * 9
packed = m.LZ4_compress_default(text, m.LZ4_compressBound(len(text)))
assert len(packed) < len(text) and m.LZ4_decompress_safe(packed, 200) == text
assert m.LZ4_versionString() == m.VERSION_STRING
""",
        "lz4.h",
        "--name=firstlz4",
        "--library=lz4",
        "--only=LZ4_(version.*|compress.*|decompress_safe|VERSION_STRING)",
    )


def test_fftw(works) -> None:
    works(
        """
import numpy as np
import firstfftw as m

x, y = np.zeros(8), np.zeros(8)
plan = m.fftw_plan_r2r_1d(x, y, m.FftwR2rKindDoNotUseMe.R2HC, m.ESTIMATE)
x[:] = np.arange(8)
plan.execute()
assert np.allclose(y[:5], np.fft.rfft(x).real)
z, w = np.zeros(8, complex), np.zeros(8, complex)
plan = m.fftw_plan_dft_1d(z, w, m.FORWARD, m.ESTIMATE)
z[:] = x
plan.execute()
assert np.allclose(w, np.fft.fft(x))
plan.close()
""",
        "complex.h",
        "fftw3.h",
        "--name=firstfftw",
        "--library=fftw3",
        "--only=fftw_(plan_r2r_1d|plan_dft_1d|execute)|FFTW_(ESTIMATE|FORWARD)",
    )


def test_cblas(works) -> None:
    works(
        """
import numpy as np
import cblas as m

a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
x, y = np.array([1.0, 2, 3]), np.ones(3)
assert m.cblas_ddot(x, y) == 6
m.cblas_daxpy(2, x, y)
assert y.tolist() == [3, 5, 7]
c = np.zeros((2, 4))
m.cblas_dgemm(1, a, b, 0, c)
assert (c == a @ b).all()
v = np.zeros(2)
m.cblas_dgemv(1, a, x, 0, v)
assert (v == a @ x).all()
z = np.array([1 + 1j, 2])
assert m.cblas_zdotc_sub(z, 1j * z) == np.vdot(z, 1j * z)
assert m.cblas_dnrm2([3, 4]) == 5
""",
        "cblas.h",
        "--library=openblas",
        "--only=cblas_(d(dot|axpy|gemm|gemv|nrm2)|zdotc_sub)",
    )


def test_lapacke(works) -> None:
    works(
        """
import numpy as np
import lapacke as m

a = np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]])
b = np.arange(6.0).reshape(3, 2)
lu, x = a.copy(), b.copy()
pivots = m.LAPACKE_dgesv(lu, x)
assert np.allclose(a @ x, b) and pivots.dtype == np.int32
values = m.LAPACKE_dsyev(a.copy())
assert np.allclose(values, np.linalg.eigvalsh(a))
try:
    m.LAPACKE_dgesv(np.zeros((2, 2)), np.ones((2, 1)))
except RuntimeError as error:
    assert "returned status 1" in str(error)
else:
    raise AssertionError("a singular matrix has no solution")
""",
        "lapacke.h",
        "--library=lapacke",
        "--library=openblas",
        "--only=LAPACKE_d(gesv|syev)",
    )


SHAPES = """
#include <math.h>
#include "shapes.h"

const char *shapes_error_text(shapes_status status) { return status ? "no shape" : "fine"; }
shapes_status shapes_area(enum shapes_kind kind, double size, double *result)
{
    *result = kind == SHAPES_SQUARE ? size * size : 3 * size * size;
    return size > 0 ? SHAPES_SUCCESS : SHAPES_EMPTY;
}
shapes_direction shapes_turn(shapes_direction direction, int times)
{
    return (shapes_direction)((direction + times) % 3);
}
int shapes_allowed(shapes_right rights) { return (int)rights; }
shapes_point shapes_centre(const shapes_point *points, int n)
{
    shapes_point sum = {0, 0};
    for (int i = 0; i < n; i++) { sum.x += points[i].x / n; sum.y += points[i].y / n; }
    return sum;
}
double shapes_length(const struct shapes_line *line)
{
    return hypot(line->b.x - line->a.x, line->b.y - line->a.y);
}
void shapes_move(shapes_point *point, double x) { point->x += x; }
void shapes_mirror(struct shapes_line *out, const struct shapes_line *line)
{
    *out = *line;
    out->a = line->b;
    out->b = line->a;
}
double shapes_inside(shapes_path path) { return path.n; }
int shapes_unpack(shapes_packed packed) { return packed.kind; }
double shapes_slope(const shapes_curve *curve, double x)
{
    return curve->function(x, curve->params);
}
"""


def test_values(works, tmp_path: Path) -> None:
    """Enumerations, structs, callbacks and statuses, of a header and a library of our own."""
    shutil.copy(HEADER_FILES / "shapes.h", tmp_path)
    (tmp_path / "shapes.c").write_text(SHAPES)
    subprocess.run(["gcc", "-fPIC", "-c", "shapes.c"], cwd=tmp_path, check=True)
    subprocess.run(["ar", "rc", "libshapes.a", "shapes.o"], cwd=tmp_path, check=True)
    works(
        """
import shapes as m

assert m.shapes_area(m.Kind.SQUARE, 3.0) == 9.0
try:
    m.shapes_area(m.Kind.CIRCLE, -1.0)
except RuntimeError as error:
    assert str(error) == "shapes_area(): no shape"
else:
    raise AssertionError("a shape has an area")
assert m.shapes_turn(m.Direction.UP, 2) is m.Direction.LEFT
assert m.shapes_allowed(m.Right.READ | m.Right.WRITE) == 3 and m.MOST == 16
point = m.shapes_centre([(0, 0), (2, 4)])
assert point == m.Point(1, 2)
m.shapes_move(point, 0.5)
assert point.x == 1.5
line = m.Line(m.Point(0, 0), m.Point(3, 4))
assert m.shapes_length(line) == 5 and m.shapes_mirror(line).a.x == 3
assert m.shapes_slope(lambda x: 2 * x, 4.0) == 8.0
""",
        "shapes.h",
        "--library=./libshapes.a",
    )


ANALYSIS = """
#include "analysis.h"
#include <math.h>
#include <stdlib.h>

struct series { int kind; };

void histogram(const double *data, size_t n, double lo, double hi, unsigned int *counts,
               size_t nbins)
{
    for (size_t i = 0; i < n; i++) {
        double at = (data[i] - lo) / (hi - lo) * (double)nbins;
        if (at >= 0 && at < (double)nbins) counts[(size_t)at]++;
    }
}
int box_blur(const float *in, float *out, int width, int height)
{
    for (int i = 0; i < width * height; i++) out[i] = in[i] / 2;
    return width > 100 ? -1 : 0;
}
void shift(int n, const point *from, point *to, double by)
{
    for (int i = 0; i < n; i++) { to[i] = from[i]; to[i].x += by; }
}
double *linspace(double a, double b, int n)
{
    double *x = malloc(sizeof *x * (size_t)n);
    for (int i = 0; i < n; i++) x[i] = a + (b - a) * i / (n - 1);
    return x;
}
long *divisors(long number, int *count)
{
    long *found = malloc(sizeof *found * (size_t)number);
    *count = 0;
    for (long i = 1; i <= number; i++) if (number % i == 0) found[(*count)++] = i;
    return found;
}
int d_add_one(double x, double *r) { *r = x + 1; return 0; }
int s_add_one(float x, float *r) { *r = x + 1; return 0; }
int i_add_one(int x, int *r) { *r = x + 1; return 0; }
double norm(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}
int is_named(name_t name) { return name[0] != 0; }
void scale(vector_t values, int count, double by)
{
    for (int i = 0; i < count; i++) values[i] *= by;
}
series *series_new(int kind)
{
    series *made = malloc(sizeof *made);
    made->kind = kind;
    return made;
}
void series_free(series *s) { free(s); }
series *series_join(const series *a, const series *b) { return series_new(a->kind + b->kind); }
"""


def test_a_small_project(works, tmp_path: Path) -> None:
    """The C file next to the header is compiled in; functions that it lacks are left out."""
    shutil.copy(HEADER_FILES / "analysis.h", tmp_path)
    (tmp_path / "analysis.c").write_text(ANALYSIS)
    works(
        """
import numpy as np
import analysis as m

counts = np.zeros(4, np.uint32)
m.histogram([0.1, 0.2, 0.9, 5.0], 0, 1, counts)
assert counts.tolist() == [2, 0, 0, 1]
try:
    m.histogram([0.5], 0, 1, np.zeros(1, np.uint32), nbins=10**7)
except TypeError as error:
    assert "nbins" in str(error)
else:
    raise AssertionError("there is one bin")
assert m.box_blur(np.ones((2, 3), np.float32)).tolist() == [[0.5] * 3] * 2
try:
    m.box_blur(np.ones((1, 101), np.float32))
except RuntimeError as error:
    assert "returned status -1" in str(error)
else:
    raise AssertionError("a failure was expected")
points = np.zeros(2, m.Point.dtype)
m.shift(points, points, 3)
assert points["x"].tolist() == [3, 3]
assert m.linspace(0, 1, 5).tolist() == [0, 0.25, 0.5, 0.75, 1]
assert m.divisors(12).tolist() == [1, 2, 3, 4, 6, 12]
assert m.add_one(1.5)[0] == 2.5 and m.add_one(np.float32(1.5))[0] == 2.5
assert m.add_one(2)[0] == 3 and isinstance(m.add_one(2)[0], int)
assert "@" not in m.add_one.__doc__ and "\\nx\\n    the number" in m.add_one.__doc__
assert "\\nr\\n    where `x` plus one goes" in m.add_one.__doc__
assert m.norm([3, 4]) == 5 and m.is_named("x") == 1
values = np.ones(3)
m.scale(values, 2)
assert values.tolist() == [2, 2, 2]
with m.Series(1) as one, m.Series(2) as two, one.join(two) as both:
    assert not both.closed
assert m.norm.__doc__ and not hasattr(m, "normf") and not hasattr(m, "first_of")
""",
        "analysis.h",
    )
    text = (tmp_path / "analysis.toml").read_text()
    assert 'sources = ["analysis.c"]' in text and "libraries" not in text
    assert "# normf (analysis.h:40): no library or source defines it" in text


SELECT = """
#ifndef WIDTH
#define WIDTH 8
#endif
#define JOIN(a, b) a##b
#define WITH_WIDTH(a, b) JOIN(a, b)
#define box WITH_WIDTH(box_, WIDTH)
#define box_open WITH_WIDTH(box_open_, WIDTH)
#define box_free WITH_WIDTH(box_free_, WIDTH)
#define box_size WITH_WIDTH(box_size_, WIDTH)
#define box_next WITH_WIDTH(box_next_, WIDTH)
#define box_twice __twice
#define FAMILY(width) \\
    typedef struct box_##width box_##width; \\
    box_##width *box_open_##width(int size); \\
    void box_free_##width(box_##width *b); \\
    int box_size_##width(box_##width *b); \\
    box_##width *box_next_##width(box_##width *b);
FAMILY(8)
FAMILY(16)
int __twice(int x);
void moments(const double *x, int n, double *mean, double *var);
void walk(int n, const int *indptr, const int *indices, double *values);
"""

SELECT_C = """
#include "select.h"
#include <stdlib.h>
struct box_8 { int size; };
box_8 *box_open_8(int size)
{
    box_8 *b = malloc(sizeof *b);
    b->size = size;
    return b;
}
void box_free_8(box_8 *b) { free(b); }
int box_size_8(box_8 *b) { return b->size; }
box_8 *box_next_8(box_8 *b) { return b; }
int __twice(int x) { return 2 * x; }
void moments(const double *x, int n, double *mean, double *var)
{
    *mean = *var = 0;
    for (int i = 0; i < n; i++) *mean += x[i] / n;
    for (int i = 0; i < n; i++) *var += (x[i] - *mean) * (x[i] - *mean) / n;
}
void walk(int n, const int *indptr, const int *indices, double *values)
{
    for (int i = 0; i < indptr[n]; i++) values[i] = indices[i];
}
"""


def test_families_and_names(works, tmp_path: Path) -> None:
    """Macros select one function of several; a name of the standard library is not used."""
    (tmp_path / "select.h").write_text(SELECT)
    (tmp_path / "select.c").write_text(SELECT_C)
    works(
        """
import select
import select_c as m

assert select.select and m.box_twice(4) == 8
with m.Box(3) as box:
    assert box.size() == 3 and box.next().size() == 3
assert m.moments([1, 2, 3]) == (2, 2 / 3)
assert not hasattr(m, "walk") and not hasattr(m, "Box16")
""",
        "select.h",
    )
    left_out = (tmp_path / "select_c.toml").read_text().split("# Left out")[1]
    assert "# box_open_16 (select.h:20): the macro `box_open` selects `box_open_8`" in left_out
    assert "# walk (select.h:23): the values of `indptr` are positions in another" in left_out
    assert left_out.count("selects") == 4 and "_8 (" not in left_out.replace("box_free_8 (", "")


def test_a_header_that_only_includes(first, build, tmp_path: Path) -> None:
    """The headers of its parts, which refuse to be included alone, are drafted; others are not."""
    (tmp_path / "many").mkdir()
    part = "#ifndef MANY\n#error\n#endif\nstatic inline int {0}(int x) {{ return x; }}\n"
    (tmp_path / "many.h").write_text('#define MANY\n#include "many/a.h"\n#include "other.h"\n')
    (tmp_path / "many" / "a.h").write_text(part.format("many_a"))
    (tmp_path / "other.h").write_text(part.format("other"))
    file = first("many.h")
    text = (tmp_path / file).read_text()
    assert 'headers = ["many.h"]' in text and "# a.h:4\n[function.many_a]" in text
    assert "other" not in text
    built = build(tmp_path, file, tmp_path / "modules")
    assert built.returncode == 0, built.stderr


GROWN = """
typedef int number;
typedef struct pile pile;
pile *pile_new(void);
void pile_free(pile *p);
int pile_size(pile *p);
"""


def test_update(first, fishplate: Path, tmp_path: Path) -> None:
    """New functions of a header are appended to an edited file, which is otherwise unchanged."""
    header = tmp_path / "pile.h"
    header.write_text(GROWN + "number twice(number x);\n")
    file = tmp_path / first("pile.h")
    edited = file.read_text().replace("handle.Pile]", "handle.Heap]  # mine")
    edited = edited.replace("function.Pile.size]", "function.Heap.count]")
    file.write_text(edited)
    assert first("--update", "pile.toml") == "pile.toml" and file.read_text() == edited
    more = "typedef float real;\nreal half(real x);\nvoid pile_sort(pile *p);\n"
    more += "double bad(const double *x);\n"
    header.write_text(header.read_text() + more)
    first("--update", "pile.toml")
    text = file.read_text()
    at = edited.index('number = "int"\n') + len('number = "int"\n')
    assert text.startswith(edited[:at] + 'real = "float"\n' + edited[at:])
    added = text[len(edited) :]
    assert "[function.half]" in added and "[function.Heap.sort]" in added and "# bad (" in added
    assert "pile_size" not in added.split("Added by")[1]
    first("--update", "pile.toml")
    assert file.read_text() == text
    done = subprocess.run([fishplate, "check", file], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")


def test_exclude(first, tmp_path: Path) -> None:
    (tmp_path / "two.h").write_text("int one(int x);\nint two(int x);\nint two_more(int x);\n")
    text = (tmp_path / first("two.h", "--exclude", "two.*")).read_text()
    assert "function.one" in text and "two" not in text.replace("two.h", "").replace('"two"', "")


def test_types_that_the_compiler_knows_better(first, build, tmp_path: Path) -> None:
    """A type that is not what it seems removes the functions that use it, and nothing else."""
    (tmp_path / "modes.h").write_text(
        "typedef int wide __attribute__((mode(DI)));\n"
        "static inline wide twice(wide x) { return 2 * x; }\n"
        "static inline int half(int x) { return x / 2; }\n"
    )
    file = first("modes.h")
    text = (tmp_path / file).read_text()
    assert "# twice (modes.h:2): the C compiler refuses this" in text and "function.half" in text
    built = build(tmp_path, file, tmp_path / "modules")
    assert built.returncode == 0, built.stderr
