! A small library of reaction kinetics.
module kinetics
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: wp => real64
  implicit none
  private
  integer, parameter :: dp = c_double, dims = 3

  type, bind(c) :: particle
    real(c_double) :: position(dims), mass
    integer(c_int) :: charge
  end type particle

  type, bind(c) :: point
    real(c_double) :: x, y
  end type

  type :: hidden
    real, allocatable :: data(:)
  end type

contains

  !> Arithmetic mean of x.
  pure function mean(n, x) result(m) bind(c, name="kin_mean")
    integer(c_int), value, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: m
    m = sum(x) / n
  end function mean

  ! The sum of a matrix
  ! of assumed shape.
  real(c_double) function total(a) bind(c)
    real(c_double), intent(in) :: a(:, :)
    integer :: i
    total = 0
    do i = 1, size(a, 2)
      total = total + sum(a(:, i))
    end do
  end function

  subroutine scale_rows(a, by) bind(c)
    real(wp), dimension(:, :), intent(inout) :: a
    real(c_double), intent(in), optional :: by
    if (present(by)) then
      a = a * by
    else
      a = 2 * a
    end if
  end subroutine scale_rows

  subroutine outer(m, n, x, y, a) bind(c)
    integer(c_size_t), value :: m, n
    real(c_double), intent(in) :: x(m), y(0:n-1)
    real(c_double), intent(out) :: a(m, n)
    integer :: j
    do j = 1, int(n)
      a(:, j) = x * y(j - 1)
    end do
  end subroutine

  subroutine step(p, dt, energy) bind(c)
    type(point), intent(inout) :: p
    real(c_double), value :: dt
    real(c_double), intent(out) :: energy
    p%x = p%x + dt; p%y = p%y - dt
    energy = p%x**2 + p%y**2
  end subroutine

  integer(c_int) function count_letter(s, letter) bind(c)
    character(kind=c_char), intent(in) :: s(*)
    integer(c_int8_t), value :: letter
    integer :: i
    count_letter = 0
    i = 1
    do while (s(i) /= c_null_char)
      if (ichar(s(i)) == letter) count_letter = count_letter + 1
      i = i + 1
    end do
  end function

  complex(c_double_complex) function rotate(z, angle) bind(c)
    complex(c_double_complex), value :: z
    real(c_double), value :: angle
    rotate = z * exp(cmplx(0, angle, c_double))
  end function

  subroutine internal(x)
    real, intent(in) :: x
  end subroutine

  subroutine unknown(x) bind(c)
    real(c_double) :: x
    x = 1
  end subroutine

  subroutine callback(f) bind(c)
    interface
      real(c_double) function f(x) bind(c)
        import c_double
        real(c_double), value :: x
      end function
    end interface
    print *, f(1d0)
  end subroutine

end module kinetics

subroutine saxpy_like(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real, intent(in) :: a, x(n)
  real, intent(inout) :: y(n)
  y = a * x + y
end subroutine

integer function words(text)
  character(len=*), intent(in) :: text
  words = count([(text(i:i) == ' ', i = 1, len(text))]) + 1
end function
