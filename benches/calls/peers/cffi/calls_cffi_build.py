# Writes the C source of the extension module to the path given.
import sys

from cffi import FFI

ffi = FFI()
ffi.cdef("""
    double add(double a, double b);
    double total(size_t n, const double *x);
    void scale(size_t n, double *x, double k);
    void double_it(size_t n, const double *x, double *y);
    double trace2(size_t n, const double *a);
    void matvec(size_t m, size_t n, const double *a, const double *x, double *y);
""")
ffi.set_source("_calls_cffi", '#include "kernels.h"')

if __name__ == "__main__":
    ffi.emit_c_code(sys.argv[1])
