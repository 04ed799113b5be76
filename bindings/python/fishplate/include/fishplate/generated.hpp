// In a C++ module that Fishplate generates: exceptions beyond the standard ones.
//
// Purpose: fp::python_error keeps its exception, fp::type_error is a TypeError, and registered
// exceptions become their Python counterparts.
// Invariant: called without the GIL and on any thread; the exception is carried to where it is
// raised.
// Reason: the tables of generated modules and of translate.hpp have to agree.
#ifndef FISHPLATE_GENERATED_HPP
#define FISHPLATE_GENERATED_HPP

#include "generated.h"
#include "translate.hpp"

namespace fp {
inline namespace v1 {
namespace detail {

FP_GLUE_COLD inline void carry_error(fp_failure *why)
{
    gil_acquire gil;
    object_ptr earlier;
    if (PyErr_Occurred()) {
        earlier = take_error();
    }
    if (!set_registered()) {
        set_one_error_from_cpp();
    }
    fp_note(why, FP_RUNTIME_ERROR, "");
    why->raised = take_error().release();
    if (earlier) {
        put_error(std::move(earlier));
    }
}

// In a handler: records the exception, or returns 0 if its class is sufficient.
FP_GLUE_COLD inline int catch_more(fp_failure *why)
{
    try {
        throw;
    }
    catch (const python_error &) {
        carry_error(why);
        return 1;
    }
    catch (const type_error &error) {
        fp_note(why, FP_TYPE_ERROR, error.what());
        return 1;
    }
    FP_GLUE_LET_THREADS_END
    catch (...) {
        if (first_registered != nullptr) {
            carry_error(why);
        }
        return first_registered != nullptr;
    }
}

} // namespace detail
} // namespace v1
} // namespace fp

#undef FP_GLUE_CATCH
#define FP_GLUE_CATCH ((void)(fp_catch_more = ::fp::detail::catch_more))

#endif
