#include "intents_value.h"

double difference(double a, double b)
{
    return a - b;
}
