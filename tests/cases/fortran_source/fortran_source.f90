subroutine matvec(m, n, a, x, y)
  implicit none
  integer, intent(in) :: m, n
  double precision, intent(in) :: a(m, n), x(n)
  double precision, intent(out) :: y(m)
  y = matmul(a, x)
end subroutine matvec

subroutine scale_columns(m, n, a, s)
  implicit none
  integer, intent(in) :: m, n
  double precision, intent(inout) :: a(m, n)
  double precision, intent(in) :: s(n)
  integer :: j
  do j = 1, n
    a(:, j) = s(j) * a(:, j)
  end do
end subroutine scale_columns

function norm_squared(n, x) result(sum_of_squares) bind(c)
  use, intrinsic :: iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: sum_of_squares
  sum_of_squares = sum(x**2)
end function norm_squared

! 0, or the place of the first negative number.
function running_sum(n, x) result(info) bind(c)
  use, intrinsic :: iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(inout) :: x(n)
  integer(c_int) :: info
  integer :: i
  info = 0
  do i = 1, n
    if (x(i) < 0) then
      info = i
      return
    end if
    if (i > 1) x(i) = x(i) + x(i - 1)
  end do
end function running_sum

! Calls a procedure for each index; the arguments are passed by reference.
subroutine tabulate(f, n, y)
  implicit none
  interface
    double precision function f(k)
      integer, intent(in) :: k
    end function f
  end interface
  integer, intent(in) :: n
  double precision, intent(out) :: y(n)
  integer :: k
  do k = 1, n
    y(k) = f(k)
  end do
end subroutine tabulate
