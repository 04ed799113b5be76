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
