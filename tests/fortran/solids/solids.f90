! Classes: derived types that C knows by their addresses, with methods, a base, overrides and finalizers.
module solids
  use, intrinsic :: iso_fortran_env, only: wp => real64
  implicit none
  private
  public :: make, paint, heaviest, live, label_all, sampled

  integer, parameter, public :: max_faces = 20
  integer, parameter :: hidden = 3
  real(wp), parameter, public :: pi = acos(-1.0_wp), g = 9.81_wp
  character(len=*), parameter, public :: version = '1.2'
  enum, bind(c)
    enumerator :: dull = 1, bright
    enumerator :: glowing = 10
  end enum
  public :: dull, bright, glowing

  integer, save :: alive = 0

  !> Something with a volume.
  type, public, abstract :: solid
    real(wp) :: density = 1
    integer, private :: secret = 0
  contains
    procedure(measure), deferred :: volume
    procedure :: mass => mass_of_solid
    procedure, private :: hide
  end type

  abstract interface
    real(wp) function measure(self)
      import :: solid, wp
      class(solid), intent(in) :: self
    end function
    real(wp) function curve(t)
      import :: wp
      real(wp), intent(in) :: t
    end function
  end interface

  !> A ball.
  type, extends(solid), public :: ball
    real(wp) :: radius = 1
    real(wp), allocatable :: history(:)
  contains
    procedure :: volume => volume_of_ball
    procedure :: grow
    procedure :: log => log_of_ball
    procedure, private :: set_radius, set_from_array
    generic, public :: set => set_radius, set_from_array
    final :: end_of_ball
  end type

  !> A ball whose mass is that of its skin.
  type, extends(ball), public :: balloon
  contains
    procedure :: mass => mass_of_balloon
  end type

  interface ball
    procedure :: ball_of_radius
  end interface

contains

  real(wp) function mass_of_solid(self)
    class(solid), intent(in) :: self
    mass_of_solid = self%density * self%volume()
  end function

  real(wp) function mass_of_balloon(self)
    class(balloon), intent(in) :: self
    mass_of_balloon = 4 * pi * self%radius**2 * self%density
  end function

  subroutine hide(self)
    class(solid), intent(inout) :: self
    self%secret = hidden
  end subroutine

  real(wp) function volume_of_ball(self)
    class(ball), intent(in) :: self
    volume_of_ball = 4 * pi / 3 * self%radius**3
  end function

  !> Adds to the radius, and returns the new one.
  subroutine grow(self, by, radius)
    class(ball), intent(inout) :: self
    real(wp), intent(in) :: by
    real(wp), intent(out) :: radius
    if (.not. allocated(self%history)) then
      allocate(self%history(0))
      alive = alive + 1
    end if
    self%history = [self%history, self%radius]
    self%radius = self%radius + by
    radius = self%radius
  end subroutine

  function log_of_ball(self) result(history)
    class(ball), intent(in) :: self
    real(wp), allocatable :: history(:)
    history = [real(wp) ::]
    if (allocated(self%history)) history = self%history
  end function

  subroutine set_radius(self, radius)
    class(ball), intent(inout) :: self
    real(wp), intent(in) :: radius
    self%radius = radius
  end subroutine

  subroutine set_from_array(self, volumes)
    class(ball), intent(inout) :: self
    real(wp), intent(in) :: volumes(:)
    self%radius = (3 * sum(volumes) / (4 * pi))**(1 / 3.0_wp)
  end subroutine

  subroutine end_of_ball(self)
    type(ball), intent(inout) :: self
    if (allocated(self%history)) alive = alive - 1
  end subroutine

  type(ball) function ball_of_radius(radius, density)
    real(wp), intent(in) :: radius
    real(wp), intent(in), optional :: density
    ball_of_radius%radius = radius
    if (present(density)) ball_of_radius%density = density
  end function

  !> A ball or a balloon, or nothing.
  subroutine make(kind, made)
    character(len=*), intent(in) :: kind
    class(ball), allocatable, intent(out) :: made
    if (kind == 'ball') allocate(ball :: made)
    if (kind == 'balloon') allocate(balloon :: made)
  end subroutine

  subroutine paint(one, other, copy)
    class(solid), intent(in) :: one
    class(solid), intent(inout), optional :: other
    type(ball), intent(out) :: copy
    copy%density = one%density
    if (present(other)) other%density = one%density
  end subroutine

  logical function heaviest(one, others)
    class(solid), intent(in) :: one
    class(solid), intent(in) :: others(:)
    heaviest = one%mass() > maxval(others%density)
  end function

  integer function live()
    live = alive
  end function

  !> The length of the longest name, and the number of those that begin with `a`.
  subroutine label_all(names, longest, count_of_a)
    character(len=*), intent(in) :: names(:)
    integer, intent(out) :: longest, count_of_a
    longest = len(names)
    count_of_a = count(names(:)(1:1) == 'a')
  end subroutine

  !> The sum of a function, or of 1, at each of the points.
  real(wp) function sampled(points, f)
    real(wp), intent(in) :: points(:)
    procedure(curve), optional :: f
    integer :: k
    sampled = size(points)
    if (.not. present(f)) return
    sampled = 0
    do k = 1, size(points)
      sampled = sampled + f(points(k))
    end do
  end function
end module
