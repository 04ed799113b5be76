/* One function per type: it returns its argument, in every way that C can pass it. */
#ifndef SCALARS_H
#define SCALARS_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define KEEP(NAME, T)                                                                              \
    T keep_##NAME(T value, T *pointer, T *behind, size_t n, const T *array, T *made)

KEEP(bool, _Bool);
KEEP(char, char);
KEEP(schar, signed char);
KEEP(uchar, unsigned char);
KEEP(short, short);
KEEP(ushort, unsigned short);
KEEP(int, int);
KEEP(uint, unsigned int);
KEEP(long, long);
KEEP(ulong, unsigned long);
KEEP(longlong, long long);
KEEP(ulonglong, unsigned long long);
KEEP(int8, int8_t);
KEEP(int16, int16_t);
KEEP(int32, int32_t);
KEEP(int64, int64_t);
KEEP(uint8, uint8_t);
KEEP(uint16, uint16_t);
KEEP(uint32, uint32_t);
KEEP(uint64, uint64_t);
KEEP(size, size_t);
KEEP(ssize, ssize_t);
KEEP(ptrdiff, ptrdiff_t);
KEEP(intptr, intptr_t);
KEEP(uintptr, uintptr_t);
KEEP(float, float);
KEEP(double, double);
KEEP(cfloat, float _Complex);
KEEP(cdouble, double _Complex);

#endif
