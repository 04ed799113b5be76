/* Functions with every form of Eigen's types. */
#pragma once
#include <Eigen/Dense>
#include <complex>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace lib {

inline Eigen::MatrixXd product(const Eigen::MatrixXd &a, const Eigen::MatrixXd &b)
{
    if (a.cols() != b.rows()) throw std::invalid_argument("the sizes differ");
    return a * b;
}
inline double trace(const Eigen::Ref<const Eigen::MatrixXd> &a) { return a.trace(); }
inline const double *where(const Eigen::Ref<const Eigen::MatrixXd> &a) { return a.data(); }
inline void scale(Eigen::Ref<Eigen::MatrixXd> a, double by) { a *= by; a(0, 1) = -1; }
inline double dot(const Eigen::VectorXd &x, Eigen::Ref<const Eigen::VectorXd> y) { return x.dot(y); }
inline void shift(Eigen::Map<Eigen::VectorXd> x, double by) { x.array() += by; }
inline Eigen::Vector3d cross(const Eigen::Vector3d &x, const Eigen::Vector3d &y) { return x.cross(y); }
inline Eigen::VectorXcd roots(const Eigen::VectorXcd &x) { return x.array().sqrt(); }
inline Eigen::Matrix2f inverse(Eigen::Matrix2f a) { return a.inverse(); }
inline Eigen::RowVectorXd means(Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> a) { return a.colwise().mean(); }
inline const Eigen::MatrixXi &table() { static const Eigen::MatrixXi one = (Eigen::MatrixXi(2, 3) << 1, 2, 3, 4, 5, 6).finished(); return one; }
inline Eigen::ArrayXXd squares(const Eigen::ArrayXXd &x) { return x * x; }
inline Eigen::Matrix3Xd moved(const Eigen::Matrix3Xd &points, const Eigen::Vector3d &by) { return points.colwise() + by; }
inline std::pair<Eigen::VectorXd, Eigen::MatrixXd> eigen(const Eigen::MatrixXd &a)
{
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> found(a);
    return {found.eigenvalues(), found.eigenvectors()};
}
inline std::tuple<Eigen::MatrixXd, Eigen::MatrixXd, long> lu(const Eigen::MatrixXd &a)
{
    Eigen::FullPivLU<Eigen::MatrixXd> found(a);
    return {found.matrixLU(), found.permutationP().toDenseMatrix().cast<double>(), found.rank()};
}

class Fit {
public:
    Eigen::VectorXd weights;
    Fit(const Eigen::MatrixXd &x, const Eigen::VectorXd &y) : weights(x.colPivHouseholderQr().solve(y)) {}
    Eigen::VectorXd operator()(const Eigen::Ref<const Eigen::MatrixXd> &x) const { return x * weights; }
};

} // namespace lib
