#include "scalars.h"

#define DEFINE_KEEP(NAME, T)                                                                       \
    KEEP(NAME, T)                                                                                  \
    {                                                                                              \
        size_t i;                                                                                  \
        *behind = *pointer;                                                                        \
        for (i = 0; i < n; i++) {                                                                  \
            made[i] = array[i];                                                                    \
        }                                                                                          \
        return value;                                                                              \
    }

DEFINE_KEEP(bool, _Bool)
DEFINE_KEEP(char, char)
DEFINE_KEEP(schar, signed char)
DEFINE_KEEP(uchar, unsigned char)
DEFINE_KEEP(short, short)
DEFINE_KEEP(ushort, unsigned short)
DEFINE_KEEP(int, int)
DEFINE_KEEP(uint, unsigned int)
DEFINE_KEEP(long, long)
DEFINE_KEEP(ulong, unsigned long)
DEFINE_KEEP(longlong, long long)
DEFINE_KEEP(ulonglong, unsigned long long)
DEFINE_KEEP(int8, int8_t)
DEFINE_KEEP(int16, int16_t)
DEFINE_KEEP(int32, int32_t)
DEFINE_KEEP(int64, int64_t)
DEFINE_KEEP(uint8, uint8_t)
DEFINE_KEEP(uint16, uint16_t)
DEFINE_KEEP(uint32, uint32_t)
DEFINE_KEEP(uint64, uint64_t)
DEFINE_KEEP(size, size_t)
DEFINE_KEEP(ssize, ssize_t)
DEFINE_KEEP(ptrdiff, ptrdiff_t)
DEFINE_KEEP(intptr, intptr_t)
DEFINE_KEEP(uintptr, uintptr_t)
DEFINE_KEEP(float, float)
DEFINE_KEEP(double, double)
DEFINE_KEEP(cfloat, float _Complex)
DEFINE_KEEP(cdouble, double _Complex)
