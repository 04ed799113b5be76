typedef struct {
    float a;
    double b;
} mixed;
typedef struct {
    long a, b;
} whole;
typedef struct {
    double b;
} one;
typedef struct {
    double a, b, c;
} three;
typedef struct {
    double a, b;
} large;
typedef double _Complex fine;

void take(const mixed *z);
void take_whole(const whole *z);
void take_one(const one *z);
void take_three(const three *z);
void take_large(const large *z);
void take_fine(const fine *z);
