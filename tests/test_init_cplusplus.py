"""First interfaces of C++ headers: drafted by libclang, built as they are, and called.

The libraries are those of `tests/headers` and Debian's libmuparser-dev.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import ALL, unoptimised
from needs import lacking

FIGURES = Path(__file__).parent / "headers" / "figures.hpp"


@pytest.fixture
def run(fishplate: Path, tmp_path: Path):
    """run(*arguments): `fishplate init`, without a check of its exit status."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [fishplate, "init", *arguments],
            cwd=tmp_path,
            env=unoptimised({**os.environ, "VIRTUAL_ENV": sys.prefix, **environment}),
            capture_output=True,
            text=True,
            timeout=300,
        )
        if "is not installed" in done.stderr and not environment:
            lacking("libclang")
        return done

    return run


@pytest.fixture
def works(run, build, tmp_path: Path):
    """works(script, *arguments): the draft builds unchanged, and the script passes."""

    def works(script: str, *arguments: str) -> str:
        done = run(*arguments)
        if "` not found" in done.stderr:
            lacking("a library's header", done.stderr.strip())
        assert done.returncode == 0, done.stderr
        file = done.stdout.strip()
        built = build(tmp_path, file, tmp_path / "modules")
        assert built.returncode == 0, built.stderr
        ran = subprocess.run(
            [sys.executable, "-X", "dev", "-W", "error", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "modules")},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert ran.returncode == 0, ran.stderr
        return (tmp_path / file).read_text()

    return works


def test_figures(works, tmp_path: Path) -> None:
    shutil.copy(FIGURES, tmp_path)
    script = """
import figures as f
p = f.figures_Point(1, 2)
q = 2 * p + p * 1
assert (q.x, q.y, q[1], bool(f.figures_Point())) == (3, 6, 6, False)
assert q == f.figures_Point(3, 6) and (-q).x == -3
q += p
assert q.x == 4
c = f.Circle(2)
assert isinstance(c, f.Shape) and c.area() == 12 and c.box().area() == 12
assert (c.grown(1).radius, c.grown(0.5).radius, c.grown(p).radius) == (3, 2.5, 3)
assert f.Circle().color == f.Color.green == f.next() and c.kind() == f.Shape.Kind.round
assert list(c.cells) == [1, 2] and list(c.weights) == [1, 2, 3]
c.set_name("disc")
c.center().x = 5
assert (c.name, c.get_name(), c.center().x) == ("disc", "disc", 5)
assert f.describe(c) == (12, "m") and f.Circle_unit().radius == 1
assert (f.label(), f.label(3), f.mean([1, 2, 3]), f.length("abc")) == (None, "3", 2, 3)
assert f.boxed(2).twice().get() == 4 and list(f.RealBox(1.5).list(2)) == [1.5, 1.5]
assert f.integrate(lambda x: x * x, 0, 2) == 2 and f.divide(7, 2, 0, 0) == (3, 1)
assert f.settle() == 1 and f.settle(None, "ab", f.Quality.coarse) == 20
settings = f.Settings()
settings.steps, settings.quality = 2, f.Quality.fine
assert f.settle(settings) == 202
assert (f.version, f.title, f.limit, f.defaulted(1, [2])) == (3, "figures", 12, 14)
assert f.Single_instance().count() == 1
assert str(p) == "1, 2"
path = f.Path()
for point in (p, q, p):
    path.add(point)
assert str(path) == "3 points" and [point.x for point in path] == [1, 4, 1]
assert list(f.Names(["b", "a"])) == ["a", "b"] and list(f.Digits()) == list(range(10))
class Far(f.Listener):
    def meet(self, point):
        return point.x > 3
assert f.walk(path, f.Listener()) == 3 and f.walk(path, Far()) == 1
for create in (f.Shape, f.Single):
    try:
        create()
    except TypeError:
        pass
    else:
        raise AssertionError(create)
try:
    f.Circle(-1)
except ValueError as error:
    assert str(error) == "the radius is negative"
"""
    text = works(script, "figures.hpp")
    assert "nothing overrides it; `virtual` before its type, and `= 0` at the end, allows" in text


def test_objects_that_another_one_creates_and_destroys(works, tmp_path: Path) -> None:
    shutil.copy(FIGURES.parents[1] / "cases" / "cplusplus_destroyed" / "world.hpp", tmp_path)
    script = """
import world as w
world = w.World()
ball = world.create_ball("a")
assert ball.name() == "a" and w.count_alive() == 1
same, first = world.all()[0], world.at(0)
world.destroy(ball)
assert ball.closed and same.closed and first.closed and w.count_alive() == 0
"""
    draft = works(script, "world.hpp")
    assert "# guess: the call destroys `body`" in draft


def test_pointers_to_nothing_are_optional(works, tmp_path: Path) -> None:
    (tmp_path / "find.hpp").write_text("""
inline int find(const char *name = nullptr, const char *in = 0, int from = 2)
{
    return (name != nullptr) + 2 * (in != nullptr) + from;
}
""")
    works(
        "import find\nassert (find.find(), find.find('a'), find.find(None, 'b', 3)) == (2, 3, 5)",
        "find.hpp",
    )


def test_a_header_of_another_name(works, run, tmp_path: Path) -> None:
    """The text says that it is C++: of the header, or of one that it includes."""
    (tmp_path / "all.h").write_text('#include "part.h"\nint all(void);\n')
    (tmp_path / "part.h").write_text(
        "namespace part { inline int twice(int x) { return 2 * x; } }\n"
    )
    draft = works("import part\nassert part.twice(2) == 4", "part.h")
    assert 'language = "c++"' in draft
    assert run("all.h", "--out", "-").stdout.count('language = "c++"') == 1
    assert "error" in run("part.h", "--language", "c", "--out", "-").stderr


@pytest.mark.nightly
def test_muparser(works) -> None:
    script = """
import muParser
p = muParser.Parser()
p.SetExpr("2 * a + 1")
p.DefineConst("a", 3)
assert p.Eval() == 7 and p.GetExpr() == "2 * a + 1 "
"""
    text = works(script, "muParser.h", "--language", "c++", "--library", "muparser")
    # Those that its base in another header declares, and why some are missing.
    assert "mu::Parser::SetExpr(const std::string &a_sExpr)" in text
    assert "the parameter `a_fVar` is a pointer without a known size" in text


def test_views_and_outputs(works, tmp_path: Path) -> None:
    header = """
#include <cstddef>
#include <ostream>
#include <string>
namespace lib {
struct Tree {
    int nodes[3] = {1, 2, 3};
    struct Node root() const;
    static inline double scale = 2;
    static const int limit = 7;
};
/** A view. */
struct Node {
    const int *at = nullptr;
    Node next() const { return Node{at + 1}; }
    int value() const { return at ? *at : 0; }
};
inline Node Tree::root() const { return Node{nodes}; }
class Visitor {
public:
    virtual ~Visitor() = default;
    virtual bool visit(int value) = 0;
    virtual void end() {}
    virtual std::string &odd() const { static std::string text; return text; }
};
class Sink { public: virtual ~Sink() = default; virtual std::string &where() const = 0; };
inline int walk(const Tree &tree, Visitor &visitor)
{
    int count = 0;
    for (int one : tree.nodes) count += visitor.visit(one);
    visitor.end();
    return count;
}
/** Splits.
 * @param[in] x the number
 * @param[out] whole its whole part
 * @param[out] rest its rest */
inline void split(double x, int &whole, double &rest)
{
    whole = static_cast<int>(x);
    rest = x - whole;
}
/** The same. */
inline void split(double x, int &whole) { whole = static_cast<int>(x); }
inline const Tree &standard() { static const Tree tree; return tree; }
inline int checksum(const void *data, std::size_t size)
{
    int sum = 0;
    for (std::size_t k = 0; k < size; k++) sum += static_cast<const unsigned char *>(data)[k];
    return sum;
}
inline void print(const Tree &tree, std::ostream &out) { out << tree.nodes[0]; }
}
"""
    (tmp_path / "lib.hpp").write_text(header)
    script = """
import gc, lib
node = lib.Tree().root()
gc.collect()
assert (node.value(), node.next().value()) == (1, 2)
tree = lib.Tree()
tree.scale = 3
assert lib.Tree().scale == 3 and lib.Tree.limit == 7
class Odd(lib.Visitor):
    def visit(self, value):
        return value % 2 == 1
assert lib.walk(tree, Odd()) == 2
assert lib.split(2.5) == (2, 0.5)
assert lib.standard().root().value() == 1
assert lib.checksum(bytes([1, 2])) == 3 and lib.print(tree) == "1"
try:
    lib.Sink()
except TypeError:
    pass
else:
    raise AssertionError
"""
    text = works(script, "lib.hpp")
    assert 'proto = "keep(self) lib::Node lib::Node::next() const"' in text
    assert '"virtual bool lib::Visitor::visit(int value) = 0"' in text
    assert '"std::string &lib::Visitor::odd() const"' in text
    assert "nothing overrides it: an override cannot return `std::string&`" in text
    assert "# lib::Sink() (lib.hpp:26): an override cannot return" in text


def test_names_of_types_and_shared_objects(works, tmp_path: Path) -> None:
    """Prototypes have the header's names, and classes whose objects std::shared_ptrs own that."""
    (tmp_path / "geo.hpp").write_text("""
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
namespace geo {
class Node {
public:
    explicit Node(int value) : value(value) {}
    virtual ~Node() = default;
    virtual int weight() const { return value; }
    int value;
};
struct Leaf : Node {
    explicit Leaf(int value) : Node(value) {}
};
using Row = std::vector<double>;
typedef std::vector<Row> Rows;
typedef std::function<double(const Row &)> Measure;
typedef std::shared_ptr<Node> NodePtr;
typedef std::map<std::string, NodePtr> Index;
typedef std::vector<int> Counts;
typedef std::vector<int> Positions; // neither name is used: they are one type
inline Rows twice(const Rows &rows)
{
    Rows all = rows;
    all.insert(all.end(), rows.begin(), rows.end());
    return all;
}
inline double total(const Rows &rows, const Measure &measure)
{
    double sum = 0;
    for (const Row &row : rows) sum += measure(row);
    return sum;
}
inline NodePtr find(const Index &index, const std::string &name) { return index.at(name); }
inline int weight(const NodePtr &node) { return node->weight(); }
inline Counts counts(Positions all) { return all; }
}
""")
    script = """
import geo
assert [row.tolist() for row in geo.twice([[1, 2], [3]])] == [[1, 2], [3], [1, 2], [3]]
assert geo.total([[1, 2], [3]], lambda row: row.sum()) == 6
node, leaf = geo.Node(1), geo.Leaf(2)
found = geo.find({"one": node, "two": leaf}, "two")
found.value = 5
assert leaf.value == 5 and geo.weight(leaf) == 5
assert geo.counts([1, 2]).tolist() == [1, 2]
"""
    text = works(script, "geo.hpp")
    types = text[text.index("[types]") : text.index("[handle.")]
    assert {line for line in types.splitlines() if line.startswith('"')} == {
        '"geo::Row" = "std::vector<double>"',
        '"geo::Rows" = "std::vector<geo::Row>"',
        '"geo::NodePtr" = "std::shared_ptr<geo::Node>"',
        '"geo::Index" = "std::map<std::string, geo::NodePtr>"',
        '"geo::Measure" = "std::function<double(const geo::Row &)>"',
    }
    assert 'proto = "geo::Rows geo::twice(const geo::Rows &rows)"' in text
    assert 'ctype = "geo::NodePtr"' in text and 'ctype = "std::shared_ptr<geo::Leaf>"' in text
    assert '"std::vector<int> geo::counts(std::vector<int> all)"' in text


@pytest.mark.nightly
def test_pugixml(works) -> None:
    script = """
import pugixml as p
document = p.xml_document()
assert document.load_string("<a x='1'><b>one</b><c k='2.5'/></a>", p.parse_default).status == 0
root = document.child("a")
del document
b = root.first_child()
assert (b.name(), b.child_value()) == ("b", "one")
assert b.next_sibling().attribute("k").as_double(0) == 2.5
class Names(p.xml_tree_walker):
    def __init__(self):
        super().__init__()
        self.names = []
    def for_each(self, node):
        self.names.append(node.name())
        return True
names = Names()
assert root.traverse(names) and names.names == ["b", "", "c"]
"""
    text = works(script, "pugixml.hpp", "--library", "pugixml")
    assert "keep(self) pugi::xml_node pugi::xml_node::child(const char *name) const" in text


@pytest.mark.nightly
def test_geographiclib(works) -> None:
    script = """
import Geodesic as g
earth = g.Geodesic_WGS84()
line = earth.InverseLine(40.6, -73.8, 51.6, -0.5)
assert abs(line.Distance() - 5551759.4) < 1
latitude, longitude, *others = earth.Direct(40.6, -73.8, 45, 10e6)
assert abs(latitude - 32.64) < 0.01 and len(others) == 6
"""
    headers = ["GeographicLib/Geodesic.hpp", "GeographicLib/GeodesicLine.hpp"]
    text = works(script, *headers, "--library", "GeographicLib")
    assert "double &M21, out double &S12) const" in text


def test_clipper(works) -> None:
    script = """
import clipper as c
def square(x, y, size):
    corners = [(0, 0), (size, 0), (size, size), (0, size)]
    return [c.IntPoint(x + dx, y + dy) for dx, dy in corners]
clipper = c.Clipper(0)
assert clipper.AddPaths([square(0, 0, 10)], c.PolyType.ptSubject, True)
assert clipper.AddPath(square(5, 5, 10), c.PolyType.ptClip, True)
paths, done = clipper.Execute(c.ClipType.ctIntersection, [])
assert done and [len(path) for path in paths] == [4] and c.Area(paths[0]) == 25
try:
    clipper.AddPaths([[1]], c.PolyType.ptSubject, True)
except TypeError as error:
    assert "argument 'ppg[0][0]': wanted a IntPoint, got int" in str(error)
else:
    raise AssertionError
"""
    text = works(script, "polyclipping/clipper.hpp", "--library", "polyclipping")
    assert "C++ reads `solution` and sets it; write `out` if it only sets it" in text


def test_sources_and_functions_without_definition(works, run, tmp_path: Path) -> None:
    header = tmp_path / "lib.hh"
    header.write_text("namespace lib { int twice(int x); int absent(int x); struct A { A(); }; }\n")
    (tmp_path / "lib.cc").write_text('#include "lib.hh"\nint lib::twice(int x) { return 2 * x; }\n')
    text = works("import lib; assert lib.twice(2) == 4", "lib.hh")
    assert "# lib::absent (lib.hh:1): no library or source defines it" in text
    assert "# lib::A() (lib.hh:1): no library or source defines it" in text


def test_standards_and_parts(works, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib.h").write_text('#include "lib/core.h"\n')
    (tmp_path / "lib" / "core.h").write_text(
        "#include <span>\nnamespace lib { inline double first(std::span<const double> x)"
        " { return x.empty() ? 0 : x[0]; } }\n"
    )
    script = "import lib; assert lib.first([2.0, 1.0]) == 2"
    text = works(script, "lib.h", "--standard", "c++20")
    assert 'standard = "c++20"' in text and "std::span<const double> x" in text


def test_selections(run, tmp_path: Path) -> None:
    shutil.copy(FIGURES, tmp_path)
    text = run("figures.hpp", "--only", "mean|length", "--out", "-").stdout
    assert "figures::mean(" in text and "figures::length(" in text
    assert "figures::next(" not in text and "figures::Circle" not in text
    assert "[enum" not in text and "[constants]" not in text


def test_selections_of_constants_and_enumerations(run, tmp_path: Path) -> None:
    (tmp_path / "paint.hpp").write_text("""
        namespace lib {
        enum class Hue { warm, cold };
        enum class Unit { inch, pixel };
        constexpr int limit = 3, count = 4;
        struct Spot { enum class Side { left, right }; static constexpr int size = 5; double x; };
        inline int paint(Hue hue) { return int(hue); }
        }
    """)

    def draft(only: str) -> str:
        return run("paint.hpp", "--only", only, "--out", "-").stdout

    assert "[enum.Hue]" in draft("paint") and "[enum.Unit]" not in draft("paint")
    assert "[constants]" not in draft("paint")
    text = draft("Spot|Unit|limit")
    assert "[enum.Spot.Side]" in text and "Spot.size" in text and "[enum.Unit]" in text
    assert "lib::limit" in text and "lib::count" not in text and "[enum.Hue]" not in text


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("int f(", "libclang refuses the header"),
        ("#include <absent.hpp>", "`absent.hpp` is not found"),
        ("// nothing", "nothing is declared in wrong.hpp itself"),
    ],
)
def test_refusals(source: str, message: str, run, tmp_path: Path) -> None:
    (tmp_path / "wrong.hpp").write_text(source + "\n")
    done = run("wrong.hpp")
    assert done.returncode == 1 and message in done.stderr


def test_drafts_without_functions_have_the_reasons(run, tmp_path: Path) -> None:
    header = "namespace lib {\nvoid *f(void *);\nint g(int n, ...);\n}\n"
    (tmp_path / "wrong.hpp").write_text(header)
    done = run("wrong.hpp")
    assert done.returncode == 0 and "no function was guessed" in done.stderr
    reasons = (tmp_path / "wrong.toml").read_text().split("# Left out")[1].splitlines()[2:]
    assert [line.split("(")[0] for line in reasons] == ["# lib::f", "# lib::g"]
    assert "wrong.hpp:3" in reasons[1]


def test_without_libclang(run, tmp_path: Path) -> None:
    shutil.copy(FIGURES, tmp_path)
    done = run("figures.hpp", LIBCLANG_PATH=str(tmp_path))
    assert done.returncode == 1
    assert "libclang, which reads headers of C++, is not installed" in done.stderr
    assert "pip install libclang" in done.stderr and "LIBCLANG_PATH" in done.stderr


def test_update_is_refused(run, tmp_path: Path) -> None:
    shutil.copy(FIGURES, tmp_path)
    assert run("figures.hpp", "--only", "mean").returncode == 0
    done = run("--update", "figures.toml")
    assert done.returncode == 1 and "cannot be updated" in done.stderr


def test_odd_headers_end_with_a_draft_or_an_error(run, tmp_path: Path) -> None:
    """Declarations are missing or repeated: each header has a draft or an error."""
    numbers = random.Random(14)
    lines = FIGURES.read_text().splitlines(keepends=True)
    for number in range(12 if ALL else 4):
        kept = [line for line in lines if numbers.random() > 0.04]
        for _ in range(numbers.randrange(3)):
            kept.insert(numbers.randrange(20, len(kept)), numbers.choice(lines))
        (tmp_path / "odd.hpp").write_text("".join(kept))
        done = run("odd.hpp", "--out", f"odd{number}.toml")
        assert done.returncode in (0, 1), done.stderr
        assert "panicked" not in done.stderr and ("error[" in done.stderr) == bool(done.returncode)
