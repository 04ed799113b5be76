! Procedures that only Fortran can call: allocatable arrays, results that are arrays, strings, and arrays of assumed
! shape without bind(c).
module fields
  use, intrinsic :: iso_fortran_env, only: real64, int32
  implicit none
  integer, parameter :: dp = real64
  interface
    !> In a submodule.
    module subroutine flip(x)
      real(real64), intent(inout) :: x(:)
    end subroutine
    module function longest(x) result(at)
      real(real64), intent(in) :: x(:, :)
      integer :: at
    end function
  end interface
  abstract interface
    real(dp) function curve(t)
      import :: dp
      real(dp), intent(in) :: t
    end function
  end interface
contains
  !> The differences of neighbours.
  subroutine differences(x, d)
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: d(:)
    d = x(2:size(d) + 1) - x(1:size(d))
  end subroutine

  !> The numbers above a limit, and their places.
  subroutine above(x, limit, found, places)
    real(dp), intent(in) :: x(:)
    real(dp), intent(in), optional :: limit
    real(dp), allocatable, intent(out) :: found(:)
    integer(int32), allocatable, intent(out) :: places(:)
    real(dp) :: least
    integer :: k
    least = 0
    if (present(limit)) least = limit
    if (least < -1) return
    found = pack(x, x > least)
    places = pack([(k, k = 1, size(x))], x > least)
  end subroutine

  !> The product of each pair.
  pure function outer(x, y) result(z)
    real(dp), intent(in) :: x(:), y(:)
    real(dp) :: z(size(x), size(y))
    integer :: i
    do i = 1, size(y)
      z(:, i) = x * y(i)
    end do
  end function

  !> Doubles an array, and appends its sum.
  subroutine grow(x, total)
    complex(dp), allocatable, intent(inout) :: x(:)
    complex(dp), intent(inout) :: total
    total = total + sum(x)
    x = [x, x, total]
  end subroutine

  function total(x, is_mean) result(sum_of_x)
    real(dp), allocatable, intent(in) :: x(:, :)
    logical, intent(in) :: is_mean
    real(dp) :: sum_of_x
    sum_of_x = sum(x)
    if (is_mean) sum_of_x = sum_of_x / size(x)
  end function

  logical function is_sorted(n, x, y)
    integer, value :: n
    real(dp), intent(in) :: x(:), y(n)
    is_sorted = all(x(2:) >= x(:size(x) - 1)) .and. all(y > 0)
  end function

  function title(name, count) result(text)
    character(len=*), intent(in) :: name
    integer, intent(in) :: count
    character(len=:), allocatable :: text
    character(len=12) :: digits
    write (digits, '(i0)') count
    text = name // ' ' // trim(digits) // ' '
  end function

  subroutine label(k, brief, full)
    integer, intent(in) :: k
    character(len=8), intent(out) :: brief
    character(len=:), allocatable, intent(out) :: full
    brief = 'no'
    if (k > 0) full = repeat('ab', k)
  end subroutine

  subroutine both(f, x)
    interface
      real(dp) function f(t)
        import :: dp
        real(dp), intent(in) :: t
      end function
    end interface
    real(dp), intent(inout) :: x(:)
    x(1) = f(x(1))
  end subroutine

  subroutine mapped(f, x)
    procedure(curve) :: f
    real(dp), intent(inout) :: x(:)
    integer :: k
    do k = 1, size(x)
      x(k) = f(x(k))
    end do
  end subroutine

  subroutine settle(start, found, steps)
    real(dp), allocatable, intent(in) :: start
    real(dp), allocatable, intent(out) :: found
    integer, allocatable, intent(inout) :: steps
    if (start >= 0) found = sqrt(start)
    steps = steps + 1
  end subroutine

  function half(x) result(y)
    real(dp), intent(in) :: x
    real(dp), allocatable :: y
    y = x / 2
  end function

  subroutine linked(x)
    real(dp), pointer, intent(in) :: x(:)
    print *, x
  end subroutine
end module

submodule (fields) parts
contains
  module procedure flip
    x = x(size(x):1:-1)
  end procedure
  module procedure longest
    at = maxloc(sum(x**2, dim=1), dim=1)
  end procedure
end submodule

subroutine outside(x)
  real, allocatable, intent(in) :: x(:)
end subroutine
