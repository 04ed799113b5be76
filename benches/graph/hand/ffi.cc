// The user's C behind JAX's foreign function interface.
#define restrict __restrict__
#include "userop.h"
#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static ffi::Error call(ffi::Buffer<ffi::F64> x, ffi::ResultBuffer<ffi::F64> y)
{
    softsign(x.element_count(), x.typed_data(), y->typed_data());
    return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(jax_softsign, call,
                              ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F64>>().Ret<ffi::Buffer<ffi::F64>>());
