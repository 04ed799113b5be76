// Owning pointers to objects with intrusive reference counts.
//
// Purpose: fp::object_ptr for Python objects, fp::ptr<T> for storages and handles of other
// libraries.
// Invariant: one reference, released once. A pointer that was moved from or released is null; there
// are no implicit copies.
// Reason: std::unique_ptr and std::shared_ptr do not use a reference count inside of the object.
#ifndef FISHPLATE_PTR_HPP
#define FISHPLATE_PTR_HPP

#include "gil.hpp"

#include <cstddef>
#include <utility>

// Misuse ends the program with a message.
#if !defined(FP_GLUE_DEBUG)
#ifdef NDEBUG
#define FP_GLUE_DEBUG 0
#else
#define FP_GLUE_DEBUG 1
#endif
#endif

namespace fp {
inline namespace v1 {

// How references to a T are counted. Specialise it:
//     template <> struct fp::counting<Storage> {
//         static void keep(Storage *s) { storage_retain(s); }    // only for copy() and borrow()
//         static void drop(Storage *s) { storage_release(s); }
//     };
template <class T> struct counting;

template <> struct counting<PyObject> {
    static void keep(PyObject *object)
    {
        if (may_touch("a reference to a Python object was taken without the GIL")) {
            Py_INCREF(object);
        }
    }
    static void drop(PyObject *object)
    {
        if (may_touch("an fp::object_ptr was dropped without the GIL")) {
            Py_DECREF(object);
        }
    }

private:
    static bool may_touch(const char *reason)
    {
        return FP_GLUE_LIKELY(fp_glue_current() != nullptr) || may_touch_without_gil(reason);
    }
    // A static pointer may outlive Python, whose objects then have no owner.
    FP_GLUE_COLD static bool may_touch_without_gil([[maybe_unused]] const char *reason)
    {
        if (!Py_IsInitialized()) {
            return false;
        }
        if (fp_glue_is_finalizing()) {
            detail::stop_thread();
        }
#if FP_GLUE_DEBUG
        Py_FatalError(reason);
#endif
        return true;
    }
};

template <class T> class ptr {
public:
    ptr() noexcept = default;
    ptr(std::nullptr_t) noexcept {}
    // Steals the caller's reference: most functions of Python's C API return one.
    explicit ptr(T *owned) noexcept : pointer_(owned) {}
    // A new reference to an object that has another one.
    static ptr borrow(T *pointer)
    {
        if (pointer != nullptr) {
            counting<T>::keep(pointer);
        }
        return ptr(pointer);
    }

    ptr(ptr &&other) noexcept : pointer_(other.release()) {}
    ptr &operator=(ptr &&other)
    {
        // Through a temporary: the release of the old object may access `other`.
        ptr(std::move(other)).swap(*this);
        return *this;
    }
    ptr(const ptr &) = delete;
    ptr &operator=(const ptr &) = delete;
    ~ptr()
    {
        if (pointer_ != nullptr) {
            counting<T>::drop(pointer_);
        }
    }

    // A second reference, created explicitly.
    ptr copy() const { return borrow(pointer_); }
    T *get() const noexcept { return pointer_; }
    T *operator->() const noexcept { return pointer_; }
    T &operator*() const noexcept { return *pointer_; }
    explicit operator bool() const noexcept { return pointer_ != nullptr; }
    // Returns the reference to the caller.
    [[nodiscard]] T *release() noexcept { return std::exchange(pointer_, nullptr); }
    void reset(T *owned = nullptr)
    {
#if FP_GLUE_DEBUG
        if (owned != nullptr && owned == pointer_) {
            Py_FatalError("fp::ptr::reset() got the pointer that it owns already: it would be dropped twice");
        }
#endif
        ptr(owned).swap(*this);
    }
    void swap(ptr &other) noexcept { std::swap(pointer_, other.pointer_); }

    friend bool operator==(const ptr &a, const ptr &b) noexcept { return a.pointer_ == b.pointer_; }
    friend bool operator!=(const ptr &a, const ptr &b) noexcept { return a.pointer_ != b.pointer_; }
    friend bool operator==(const ptr &a, std::nullptr_t) noexcept { return a.pointer_ == nullptr; }
    friend bool operator!=(const ptr &a, std::nullptr_t) noexcept { return a.pointer_ != nullptr; }

private:
    T *pointer_ = nullptr;
};

// The GIL is needed to create or destroy one that is not null.
using object_ptr = ptr<PyObject>;

} // namespace v1
} // namespace fp

#endif
