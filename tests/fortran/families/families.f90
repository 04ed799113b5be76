! Generic interfaces of private procedures, kinds of another file, elemental procedures.
module families
  use library_kinds, only: rk => wp, ip, order
  implicit none
  private
  interface smooth
    module procedure :: smooth_once, smooth_times
  end interface
  interface norm
    module procedure norm_of_vector
    module procedure norm_of_matrix
  end interface
  public :: smooth, norm, logistic, divide, evaluate
contains
  !> A running mean.
  pure subroutine smooth_once(x, y)
    real(rk), intent(in) :: x(:)
    real(rk), intent(out) :: y(size(x))
    integer :: k
    do k = 1, size(x)
      y(k) = sum(x(max(1, k - 1):min(size(x), k + 1))) / (min(size(x), k + 1) - max(1, k - 1) + 1)
    end do
  end subroutine

  !> Several running means.
  pure subroutine smooth_times(x, times, y)
    real(rk), intent(in) :: x(:)
    integer(ip), intent(in) :: times
    real(rk), intent(out) :: y(size(x))
    real(rk) :: z(size(x))
    integer :: k
    z = x
    y = x
    do k = 1, times
      call smooth_once(z, y)
      z = y
    end do
  end subroutine

  pure real(rk) function norm_of_vector(x) result(n)
    real(rk), intent(in) :: x(:)
    n = sqrt(sum(x**2))
  end function

  pure function norm_of_matrix(x) result(n)
    real(rk), intent(in) :: x(:, :)
    real(rk) :: n
    n = maxval(sum(abs(x), dim=2))
  end function

  !> The logistic function.
  elemental real(rk) function logistic(x)
    real(rk), intent(in) :: x
    logistic = 1 / (1 + exp(-x))
  end function

  elemental subroutine divide(a, b, quotient, remainder)
    integer(ip), intent(in) :: a, b
    integer(ip), intent(out) :: quotient, remainder
    quotient = a / b
    remainder = mod(a, b)
  end subroutine

  ! Work memory of a size that depends on constants and maxima.
  subroutine evaluate(kx, ky, kz, work, total)
    integer(ip), intent(in) :: kx, ky, kz
    real(rk), intent(inout) :: work(3_ip*max(kx, ky, kz), order)
    real(rk), intent(out) :: total
    total = sum(work)
    work = 0
  end subroutine

  subroutine hidden(x)
    real(rk), intent(in) :: x
    print *, x
  end subroutine
end module families
