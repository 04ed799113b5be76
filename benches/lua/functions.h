/* Purpose: the C functions that are wrapped, as small as can be: the time is that of a call. */
#include "luaT.h"
#include "module.h"

static double add(double a, double b) { return a + b; }
static double norm(const Tensor *t) { return t->data[0]; }
static void scaled(Tensor *r, const Tensor *t, double x)
{
  tensor_resize(r, 1, t->size);
  r->data[0] = t->data[0] * x;
}
static int six(int a, int b, int c, int d, int e, int f) { return a + b + c + d + e + f; }

static int list_1(const Tensor *a, const Tensor *b, double c) { return (a != b) + (int)c; }
static int list_2(const Tensor *a, const Tensor *b, int c) { return (a != b) + c; }
static int list_3(const Tensor *a, double b, double c) { return a->nDimension + (int)(b + c); }
static int list_4(const Tensor *a, double b, int c) { return a->nDimension + (int)b + c; }
static int list_5(const Tensor *a, int b, double c) { return a->nDimension + b + (int)c; }
static int list_6(const Tensor *a, int b, int c) { return a->nDimension + b + c; }
static int list_7(double a, double b, double c) { return (int)(a + b + c); }
static int list_8(double a, const Tensor *b, const Tensor *c) { return (b != c) + (int)a; }

/* One function for each three of a tensor or a number, and two of a tensor, a number or a boolean. */
typedef const Tensor *type_T;
typedef double type_N;
typedef int type_B;
#define OF_T(a) (a)->nDimension
#define OF_N(a) (int)(a)
#define OF_B(a) (a)
#define MANY(X, Y, Z)                                                    \
  static int many_##X##Y##Z(type_##X a, type_##Y b, type_##Z c)          \
  {                                                                      \
    return OF_##X(a) + OF_##Y(b) + OF_##Z(c);                            \
  }
#define MANY_2(X, Y) MANY(X, Y, T) MANY(X, Y, N) MANY(X, Y, B)
#define MANY_1(X) MANY_2(X, T) MANY_2(X, N) MANY_2(X, B)
MANY_1(T)
MANY_1(N)
