subroutine sscale(n, a, x, incx)
  implicit none
  integer :: n, incx, i
  real :: a, x(*)
  do i = 0, n - 1
    x(1 + i*abs(incx)) = a * x(1 + i*abs(incx))
  end do
end subroutine

subroutine dscale(n, a, x, incx)
  implicit none
  integer :: n, incx, i
  double precision :: a, x(*)
  do i = 0, n - 1
    x(1 + i*abs(incx)) = a * x(1 + i*abs(incx))
  end do
end subroutine

subroutine reverse(n, piv, first)
  implicit none
  integer :: n, piv(n), first, i
  do i = 1, n
    piv(i) = first + n - i
  end do
  first = first + n
end subroutine

double precision function dot1(n, x, y)
  implicit none
  integer :: n
  double precision :: x(n), y(n)
  dot1 = dot_product(x, y)
end function

subroutine gram(m, n, a, b, trace, lwork, work)
  implicit none
  integer :: m, n, lwork, i
  double precision :: a(m, n), b(n, n), trace, work(lwork)
  b = matmul(transpose(a), a)
  do i = 1, n
    work(i) = b(i, i)
  end do
  trace = sum(work(1:n))
end subroutine

subroutine fill(uplo, kind, n, a)
  implicit none
  character :: uplo
  character(len=2) :: kind
  integer :: n, i, j
  double complex :: a(n, n)
  do j = 1, n
    do i = 1, n
      if ((uplo == 'U' .and. i <= j) .or. (uplo == 'L' .and. i >= j)) then
        a(i, j) = dcmplx(i, j)
        if (kind == 'RE') a(i, j) = i
      end if
    end do
  end do
end subroutine

subroutine spell(word, n, codes)
  implicit none
  character(len=*) :: word
  integer :: n, codes(n), i
  if (len(word) /= n) stop 1
  do i = 1, n
    codes(i) = ichar(word(i:i))
  end do
end subroutine

subroutine euler(step, n, y, t, h, steps)
  implicit none
  external :: step
  integer :: n, steps, k
  double precision :: y(n), t, h, dy(n)
  do k = 1, steps
    call step(n, t, y, dy)
    y = y + h * dy
    t = t + h
  end do
end subroutine

subroutine weigh(f, n, x, total)
  implicit none
  double precision, external :: f
  integer :: n, i
  double precision :: x(n), total
  total = 0
  do i = 1, n
    total = total + f(x(i))
  end do
end subroutine

subroutine scratch(n, x, total)
  implicit none
  integer :: n
  double precision :: x(n), total
  x = 2 * x
  total = sum(x)
end subroutine

integer function flags(yes, big)
  implicit none
  logical :: yes
  integer(kind=8) :: big
  flags = merge(1, 0, yes) + int(mod(big, 7_8))
end function
