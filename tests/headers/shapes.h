/* Enumerations, structs and callbacks in structs. */
#pragma once

enum shapes_kind { SHAPES_CIRCLE, SHAPES_SQUARE = 4 };
typedef enum { SHAPES_UP, SHAPES_DOWN, SHAPES_LEFT } shapes_direction;
/** The permitted operations. */
typedef enum shapes_right { SHAPES_MAY_READ = 1 << 0, SHAPES_MAY_WRITE = 1 << 1 } shapes_right;
typedef enum { SHAPES_EMPTY = -1, SHAPES_SUCCESS = 0 } shapes_status;
enum { SHAPES_MOST = 16 };

/** A point in the plane. */
typedef struct { double x, y; } shapes_point;
struct shapes_line { shapes_point a, b; int tags[4]; };
typedef struct { double *points; int n; } shapes_path;
typedef struct { int kind : 3; } shapes_packed;
typedef struct {
    double (*function)(double x, void *params);
    void *params;
} shapes_curve;

const char *shapes_error_text(shapes_status status);
shapes_status shapes_area(enum shapes_kind kind, double size, double *result);
shapes_direction shapes_turn(shapes_direction direction, int times);
int shapes_allowed(shapes_right rights);
shapes_point shapes_centre(const shapes_point *points, int n);
double shapes_length(const struct shapes_line *line);
void shapes_move(shapes_point *point, double x);
void shapes_mirror(struct shapes_line *out, const struct shapes_line *line);
double shapes_inside(shapes_path path);
int shapes_unpack(shapes_packed packed);
double shapes_slope(const shapes_curve *curve, double x);
