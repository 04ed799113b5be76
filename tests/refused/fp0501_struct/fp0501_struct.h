typedef struct { double x; } point;
typedef struct { long wide; double m[3]; double low; } box;
double norm(box b);
