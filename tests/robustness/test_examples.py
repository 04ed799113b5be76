"""The examples under sanitizers: real libraries, with their demonstrations."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import tools
from compilers import ALL, CHECKING, file_of
from needs import header
from test_sanitizers import instrumented, leak_environment, leaks

EXAMPLES = tools.HERE.parent.parent / "examples"
# The library's header, and its Debian package.
HEADERS = {
    "archive": ("zip.h", "libzip-dev"),
    "color": ("lcms2.h", "liblcms2-dev"),
    "cvode": ("cvode/cvode.h", "libsundials-dev"),
    "deflate": ("zlib.h", "zlib1g-dev"),
    "document": ("jsoncpp/json/json.h", "libjsoncpp-dev"),
    "expat": ("expat.h", "libexpat1-dev"),
    "fits": ("fitsio.h", "libcfitsio-dev"),
    "fourier": ("fftw3.h", "libfftw3-dev"),
    "gsl": ("gsl/gsl_rng.h", "libgsl-dev"),
    "markup": ("tinyxml2.h", "libtinyxml2-dev"),
    "mpfr": ("mpfr.h", "libmpfr-dev"),
    "picture": ("png.h", "libpng-dev"),
    "png": ("spng.h", "libspng-dev"),
    "planar": ("geos_c.h", "libgeos-dev"),
    "samplerate": ("samplerate.h", "libsamplerate0-dev"),
    "sqlite": ("sqlite3.h", "libsqlite3-dev"),
    "svm": ("libsvm/svm.h", "libsvm-dev"),
    "tree": ("cjson/cJSON.h", "libcjson-dev"),
    "umfpack": ("suitesparse/umfpack.h", "libsuitesparse-dev"),
    "eigen": ("eigen3/signature_of_eigen3_matrix_library", "libeigen3-dev"),
}


# Cases, which also run under sanitizers, use memory in the same ways, so that two examples suffice
# unless everything is tested. Instrumented, the templates of Eigen alone take a minute to compile.
NAMES = sorted({*HEADERS, "stats"}) if ALL else ["archive", "sqlite"]


@pytest.mark.parametrize("name", NAMES)
def test_demonstrations_are_clean(name: str, tmp_path: Path) -> None:
    folder = EXAMPLES / name
    if name in HEADERS:
        header(*HEADERS[name])
    instrumented(CHECKING, folder / f"{name}.toml", tmp_path / "out")
    env = leak_environment(tmp_path / "log")
    # The sanitizer intercepts throwing only if it finds the C++ library when it starts.
    library = file_of(CHECKING, "libstdc++.so.6")
    env["LD_PRELOAD"] += f" {library}"
    env["PYTHONPATH"] = str(tmp_path / "out")
    tools.run([sys.executable, "-B", "-P", folder / "demo.py"], env=env)
    reports = "".join(path.read_text() for path in tmp_path.glob("log.*"))
    assert "ERROR: AddressSanitizer" not in reports and "runtime error" not in reports, reports[
        :5000
    ]
    ours = leaks(tmp_path / "log", name)
    assert not ours, "\n\n".join(ours[:5])
