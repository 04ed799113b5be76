! The kinds of the library, which the preprocessor chooses.
module library_kinds
  use, intrinsic :: iso_fortran_env
  implicit none
  private
#ifdef SINGLE
  integer, parameter, public :: wp = real32
#elif defined(QUAD) && QUAD > 1
  integer, parameter, public :: wp = real128
#else
  integer, parameter, public :: wp = real64
#endif
  integer, parameter, public :: ip = int32
  integer(ip), parameter, public :: order = 3_ip
end module library_kinds

! Another module with the same name for another kind.
module library_old_kinds
  implicit none
  integer, parameter :: wp = kind(1.0)
end module library_old_kinds
