! Made by `fishplate init` from kinds.F90, families.f90: procedures of C for procedures that C cannot call.
module families_for_c
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    function c_malloc(size) bind(c, name="malloc")
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: size
      type(c_ptr) :: c_malloc
    end function
  end interface
contains
  subroutine smooth_once_for_c(x, size_1_of_x, y) bind(c, name="families_smooth_once_for_c")
    use families, only: fp_called => smooth
    integer(c_size_t), value :: size_1_of_x
    real(c_double), intent(in) :: x(size_1_of_x)
    real(c_double), intent(out) :: y(*)
    call fp_called(x, y)
  end subroutine

  subroutine smooth_times_for_c(x, size_1_of_x, times, y) bind(c, &
      name="families_smooth_times_for_c")
    use families, only: fp_called => smooth
    integer(c_size_t), value :: size_1_of_x
    real(c_double), intent(in) :: x(size_1_of_x)
    integer(c_int32_t), intent(in) :: times
    real(c_double), intent(out) :: y(*)
    call fp_called(x, times, y)
  end subroutine

  function norm_of_vector_for_c(x, size_1_of_x) bind(c, name="families_norm_of_vector_for_c") &
      result(result_of_norm_of_vector)
    use families, only: fp_called => norm
    real(c_double) :: result_of_norm_of_vector
    integer(c_size_t), value :: size_1_of_x
    real(c_double), intent(in) :: x(size_1_of_x)
    result_of_norm_of_vector = fp_called(x)
  end function

  function norm_of_matrix_for_c(x, size_1_of_x, size_2_of_x) bind(c, &
      name="families_norm_of_matrix_for_c") result(result_of_norm_of_matrix)
    use families, only: fp_called => norm
    real(c_double) :: result_of_norm_of_matrix
    integer(c_size_t), value :: size_1_of_x
    integer(c_size_t), value :: size_2_of_x
    real(c_double), intent(in) :: x(size_1_of_x, size_2_of_x)
    result_of_norm_of_matrix = fp_called(x)
  end function
end module
