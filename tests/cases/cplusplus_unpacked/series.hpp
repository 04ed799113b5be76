// Structs with pointers in C++, and functions that throw.
#pragma once
#include <cstddef>
#include <stdexcept>

namespace series {

struct Samples {
    const double *data = nullptr;
    std::size_t size = 0;
};

struct Report {
    Samples samples;
    double *sums = nullptr;
    double mean = 0;
    const char *unit = "m";
};

inline double mean(const Samples &samples)
{
    double sum = 0;
    for (std::size_t k = 0; k < samples.size; k++) {
        sum += samples.data[k];
    }
    return sum / samples.size;
}

inline double mean(const Samples *samples)
{
    if (samples->size == 0) {
        throw std::invalid_argument("no samples");
    }
    return mean(*samples);
}

inline void describe(Report *report, int scale)
{
    report->mean = scale * mean(&report->samples);
    double sum = 0;
    for (std::size_t k = 0; k < report->samples.size; k++) {
        report->sums[k] = sum += report->samples.data[k];
    }
    if (report->unit == nullptr) {
        report->unit = "unknown";
    }
}

} // namespace series
