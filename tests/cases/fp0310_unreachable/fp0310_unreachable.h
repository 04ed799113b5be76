double twice(double x);
float twice_float(float x);
double twice_again(double x);
