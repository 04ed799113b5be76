! Procedures that Fortran calls, and procedures of a module without bind(c).
module steps
  use, intrinsic :: iso_c_binding
  implicit none
  abstract interface
    subroutine field(n, t, y, dy) bind(c)
      import :: c_int, c_double
      integer(c_int), value :: n
      real(c_double), value :: t
      real(c_double), intent(in) :: y(n)
      real(c_double), intent(out) :: dy(n)
    end subroutine
    logical(c_bool) function stop_at(t) bind(c)
      import :: c_bool, c_double
      real(c_double), value :: t
    end function
  end interface
contains
  !> Euler steps.
  subroutine solve(f, n, y, t, count, h, done) bind(c)
    procedure(field) :: f
    integer(c_int), value :: n, count
    real(c_double), intent(inout) :: y(n)
    real(c_double), intent(inout) :: t
    real(c_double), value :: h
    procedure(stop_at), optional :: done
    real(c_double) :: dy(n)
    integer :: i
    do i = 1, count
      call f(n, t, y, dy)
      y = y + h * dy
      t = t + h
      if (present(done)) then
        if (done(t)) exit
      end if
    end do
  end subroutine
  pure real(8) function twice(x)
    real(8), intent(in) :: x
    twice = 2 * x
  end function
  subroutine by_reference(f, n, x)
    interface
      subroutine f(n, x, y)
        integer, intent(in) :: n
        real(8), intent(in) :: x(n)
        real(8), intent(out) :: y
      end subroutine
    end interface
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    call f(n, x, x(1))
  end subroutine
  subroutine unknown(f, x)
    external f
    real(8), intent(in) :: x
    call f(x)
  end subroutine
  subroutine described(f)
    interface
      subroutine f(x) bind(c)
        import :: c_double
        real(c_double), intent(in) :: x(:)
      end subroutine
    end interface
    call f([1d0])
  end subroutine
end module
