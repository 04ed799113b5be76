// The functions of Eigen in the module: each maps the caller's memory, and throws if it cannot compute a result.
#pragma once

#include <Eigen/Dense>

#include <stdexcept>
#include <string>

namespace decompositions {

struct singular : std::domain_error {
    singular() : std::domain_error("the matrix is singular") {}
};
struct indefinite : std::domain_error {
    indefinite() : std::domain_error("the matrix is not positive definite") {}
};

template <class T> using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T> using view = Eigen::Map<matrix<T>>;
template <class T> using seen = Eigen::Map<const matrix<T>>;

template <class T> void solve(long n, long m, const T *a, const T *b, T *x)
{
    Eigen::FullPivLU<matrix<T>> lu(seen<T>(a, n, n));
    if (!lu.isInvertible()) throw singular();
    view<T>(x, n, m) = lu.solve(seen<T>(b, n, m));
}

inline void cholesky(long n, const double *a, double *l)
{
    Eigen::LLT<matrix<double>> llt(seen<double>(a, n, n));
    if (llt.info() != Eigen::Success) throw indefinite();
    view<double>(l, n, n) = llt.matrixL();
}

inline void singular_values(long m, long n, const double *a, double *s)
{
    const long count = m < n ? m : n;
    Eigen::Map<Eigen::VectorXd>(s, count) = Eigen::JacobiSVD<matrix<double>>(seen<double>(a, m, n)).singularValues();
}

using lu = Eigen::PartialPivLU<matrix<double>>;

inline lu *factor(long n, const double *a) { return new lu(seen<double>(a, n, n)); }
inline void forget(lu *made) { delete made; }
inline double determinant(const lu *made) { return made->determinant(); }

inline void apply(const lu *made, long n, const double *b, double *x)
{
    if (n != made->rows())
        throw std::invalid_argument("wanted " + std::to_string(made->rows()) + " numbers, got " + std::to_string(n));
    if (made->determinant() == 0) throw singular();
    Eigen::Map<Eigen::VectorXd>(x, n) = made->solve(Eigen::Map<const Eigen::VectorXd>(b, n));
}

} // namespace decompositions
