! Made by `fishplate init` from fields.f90: procedures of C for procedures that C cannot call.
module fields_for_c
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
  subroutine flip_for_c(x, size_1_of_x) bind(c, name="fields_flip_for_c")
    use fields, only: fp_called => flip
    integer(c_size_t), value :: size_1_of_x
    real(c_double), intent(inout) :: x(size_1_of_x)
    call fp_called(x)
  end subroutine

  function longest_for_c(x, size_1_of_x, size_2_of_x) bind(c, name="fields_longest_for_c") &
      result(result_of_longest)
    use fields, only: fp_called => longest
    integer(c_int) :: result_of_longest
    integer(c_size_t), value :: size_1_of_x
    integer(c_size_t), value :: size_2_of_x
    real(c_double), intent(in) :: x(size_1_of_x, size_2_of_x)
    result_of_longest = fp_called(x)
  end function

  subroutine differences_for_c(x, size_1_of_x, d, size_1_of_d) bind(c, &
      name="fields_differences_for_c")
    use fields, only: fp_called => differences
    integer(c_size_t), value :: size_1_of_x
    real(c_double), intent(in) :: x(size_1_of_x)
    integer(c_size_t), value :: size_1_of_d
    real(c_double), intent(out) :: d(size_1_of_d)
    call fp_called(x, d)
  end subroutine

  function above_for_c(x, size_1_of_x, limit, found, size_1_of_found, places, size_1_of_places) &
      bind(c, name="fields_above_for_c") result(fp_status)
    use fields, only: fp_called => above
    integer(c_int) :: fp_status
    integer(c_size_t), value :: size_1_of_x
    real(c_double), intent(in) :: x(size_1_of_x)
    real(c_double), intent(in), optional :: limit
    type(c_ptr), intent(out) :: found
    integer(c_size_t), intent(out) :: size_1_of_found
    real(c_double), pointer :: found_in_c(:)
    real(c_double), allocatable :: found_in_fortran(:)
    type(c_ptr), intent(out) :: places
    integer(c_size_t), intent(out) :: size_1_of_places
    integer(c_int32_t), pointer :: places_in_c(:)
    integer(c_int32_t), allocatable :: places_in_fortran(:)
    fp_status = 0
    found = c_null_ptr
    size_1_of_found = 0
    places = c_null_ptr
    size_1_of_places = 0
    call fp_called(x, limit, found_in_fortran, places_in_fortran)
    if (allocated(found_in_fortran)) then
      size_1_of_found = size(found_in_fortran, 1, c_size_t)
      if (size(found_in_fortran) > 0) then
        found = c_malloc(size(found_in_fortran, kind=c_size_t) * (storage_size(found_in_fortran) / &
            8))
        if (.not. c_associated(found)) then
          fp_status = 1
          return
        end if
        call c_f_pointer(found, found_in_c, shape(found_in_fortran))
        found_in_c = found_in_fortran
      end if
    end if
    if (allocated(places_in_fortran)) then
      size_1_of_places = size(places_in_fortran, 1, c_size_t)
      if (size(places_in_fortran) > 0) then
        places = c_malloc(size(places_in_fortran, kind=c_size_t) * (storage_size(places_in_fortran) &
            / 8))
        if (.not. c_associated(places)) then
          fp_status = 1
          return
        end if
        call c_f_pointer(places, places_in_c, shape(places_in_fortran))
        places_in_c = places_in_fortran
      end if
    end if
  end function

  function outer_for_c(x, size_1_of_x, y, size_1_of_y, result_of_outer, size_1_of_result_of_outer, &
      size_2_of_result_of_outer) bind(c, name="fields_outer_for_c") result(fp_status)
    use fields, only: fp_called => outer
    integer(c_int) :: fp_status
    integer(c_size_t), value :: size_1_of_x
    real(c_double), intent(in) :: x(size_1_of_x)
    integer(c_size_t), value :: size_1_of_y
    real(c_double), intent(in) :: y(size_1_of_y)
    type(c_ptr), intent(out) :: result_of_outer
    integer(c_size_t), intent(out) :: size_1_of_result_of_outer
    integer(c_size_t), intent(out) :: size_2_of_result_of_outer
    real(c_double), pointer :: result_of_outer_in_c(:, :)
    real(c_double), allocatable :: result_of_outer_in_fortran(:, :)
    fp_status = 0
    result_of_outer = c_null_ptr
    size_1_of_result_of_outer = 0
    size_2_of_result_of_outer = 0
    result_of_outer_in_fortran = fp_called(x, y)
    if (allocated(result_of_outer_in_fortran)) then
      size_1_of_result_of_outer = size(result_of_outer_in_fortran, 1, c_size_t)
      size_2_of_result_of_outer = size(result_of_outer_in_fortran, 2, c_size_t)
      if (size(result_of_outer_in_fortran) > 0) then
        result_of_outer = c_malloc(size(result_of_outer_in_fortran, kind=c_size_t) * &
            (storage_size(result_of_outer_in_fortran) / 8))
        if (.not. c_associated(result_of_outer)) then
          fp_status = 1
          return
        end if
        call c_f_pointer(result_of_outer, result_of_outer_in_c, shape(result_of_outer_in_fortran))
        result_of_outer_in_c = result_of_outer_in_fortran
      end if
    end if
  end function

  function grow_for_c(x, size_1_of_x, new_x, size_1_of_new_x, total) bind(c, &
      name="fields_grow_for_c") result(fp_status)
    use fields, only: fp_called => grow
    integer(c_int) :: fp_status
    integer(c_size_t), value :: size_1_of_x
    complex(c_double_complex), intent(in) :: x(size_1_of_x)
    integer :: fp_failed
    type(c_ptr), intent(out) :: new_x
    integer(c_size_t), intent(out) :: size_1_of_new_x
    complex(c_double_complex), pointer :: new_x_in_c(:)
    complex(c_double_complex), allocatable :: x_in_fortran(:)
    complex(c_double_complex), intent(inout) :: total
    fp_status = 0
    allocate(x_in_fortran, source=x, stat=fp_failed)
    if (fp_failed /= 0) then
      fp_status = 1
      return
    end if
    new_x = c_null_ptr
    size_1_of_new_x = 0
    call fp_called(x_in_fortran, total)
    if (allocated(x_in_fortran)) then
      size_1_of_new_x = size(x_in_fortran, 1, c_size_t)
      if (size(x_in_fortran) > 0) then
        new_x = c_malloc(size(x_in_fortran, kind=c_size_t) * (storage_size(x_in_fortran) / 8))
        if (.not. c_associated(new_x)) then
          fp_status = 1
          return
        end if
        call c_f_pointer(new_x, new_x_in_c, shape(x_in_fortran))
        new_x_in_c = x_in_fortran
      end if
    end if
  end function

  function total_for_c(x, size_1_of_x, size_2_of_x, is_mean, result_of_total) bind(c, &
      name="fields_total_for_c") result(fp_status)
    use fields, only: fp_called => total
    integer(c_int) :: fp_status
    integer(c_size_t), value :: size_1_of_x
    integer(c_size_t), value :: size_2_of_x
    real(c_double), intent(in) :: x(size_1_of_x, size_2_of_x)
    integer :: fp_failed
    real(c_double), allocatable :: x_in_fortran(:, :)
    logical, intent(in) :: is_mean
    real(c_double), intent(out) :: result_of_total
    fp_status = 0
    allocate(x_in_fortran, source=x, stat=fp_failed)
    if (fp_failed /= 0) then
      fp_status = 1
      return
    end if
    result_of_total = fp_called(x_in_fortran, is_mean)
  end function

  function is_sorted_for_c(n, x, size_1_of_x, y) bind(c, name="fields_is_sorted_for_c") &
      result(result_of_is_sorted)
    use fields, only: fp_called => is_sorted
    logical :: result_of_is_sorted
    integer(c_int), value :: n
    integer(c_size_t), value :: size_1_of_x
    real(c_double), intent(in) :: x(size_1_of_x)
    real(c_double), intent(in) :: y(*)
    result_of_is_sorted = fp_called(n, x, y)
  end function

  function title_for_c(name, length_of_name, count, result_of_title) bind(c, &
      name="fields_title_for_c") result(fp_status)
    use fields, only: fp_called => title
    integer(c_int) :: fp_status
    integer(c_size_t), value :: length_of_name
    character(kind=c_char), intent(in) :: name(*)
    character(len=length_of_name) :: name_in_fortran
    integer(c_size_t) :: fp_k
    integer(c_int), intent(in) :: count
    type(c_ptr), intent(out) :: result_of_title
    character(kind=c_char), pointer :: result_of_title_in_c(:)
    character(len=:), allocatable :: result_of_title_in_fortran
    integer(c_size_t) :: fp_length
    fp_status = 0
    do fp_k = 1, length_of_name
      name_in_fortran(fp_k:fp_k) = name(fp_k)
    end do
    result_of_title = c_null_ptr
    result_of_title_in_fortran = fp_called(name_in_fortran, count)
    if (allocated(result_of_title_in_fortran)) then
      fp_length = len(result_of_title_in_fortran, kind=c_size_t)
      result_of_title = c_malloc(fp_length + 1)
      if (.not. c_associated(result_of_title)) then
        fp_status = 1
        return
      end if
      call c_f_pointer(result_of_title, result_of_title_in_c, [fp_length + 1])
      do fp_k = 1, fp_length
        result_of_title_in_c(fp_k) = result_of_title_in_fortran(fp_k:fp_k)
      end do
      result_of_title_in_c(fp_length + 1) = c_null_char
    end if
  end function

  function label_for_c(k, brief, full) bind(c, name="fields_label_for_c") result(fp_status)
    use fields, only: fp_called => label
    integer(c_int) :: fp_status
    integer(c_int), intent(in) :: k
    type(c_ptr), intent(out) :: brief
    character(kind=c_char), pointer :: brief_in_c(:)
    character(len=8) :: brief_in_fortran
    integer(c_size_t) :: fp_k
    integer(c_size_t) :: fp_length
    type(c_ptr), intent(out) :: full
    character(kind=c_char), pointer :: full_in_c(:)
    character(len=:), allocatable :: full_in_fortran
    fp_status = 0
    brief = c_null_ptr
    full = c_null_ptr
    call fp_called(k, brief_in_fortran, full_in_fortran)
    if (.true.) then
      fp_length = len_trim(brief_in_fortran, kind=c_size_t)
      brief = c_malloc(fp_length + 1)
      if (.not. c_associated(brief)) then
        fp_status = 1
        return
      end if
      call c_f_pointer(brief, brief_in_c, [fp_length + 1])
      do fp_k = 1, fp_length
        brief_in_c(fp_k) = brief_in_fortran(fp_k:fp_k)
      end do
      brief_in_c(fp_length + 1) = c_null_char
    end if
    if (allocated(full_in_fortran)) then
      fp_length = len(full_in_fortran, kind=c_size_t)
      full = c_malloc(fp_length + 1)
      if (.not. c_associated(full)) then
        fp_status = 1
        return
      end if
      call c_f_pointer(full, full_in_c, [fp_length + 1])
      do fp_k = 1, fp_length
        full_in_c(fp_k) = full_in_fortran(fp_k:fp_k)
      end do
      full_in_c(fp_length + 1) = c_null_char
    end if
  end function

  subroutine mapped_for_c(f, x, size_1_of_x) bind(c, name="fields_mapped_for_c")
    use fields, only: curve, fp_called => mapped
    type(c_funptr), value :: f
    procedure(curve), pointer :: f_in_fortran
    integer(c_size_t), value :: size_1_of_x
    real(c_double), intent(inout) :: x(size_1_of_x)
    f_in_fortran => null()
    if (c_associated(f)) call c_f_procpointer(f, f_in_fortran)
    call fp_called(f_in_fortran, x)
  end subroutine

  function settle_for_c(start, found, steps, new_steps) bind(c, name="fields_settle_for_c") &
      result(fp_status)
    use fields, only: fp_called => settle
    integer(c_int) :: fp_status
    real(c_double), intent(in) :: start
    integer :: fp_failed
    real(c_double), allocatable :: start_in_fortran
    real(c_double), intent(out) :: found
    real(c_double), allocatable :: found_in_fortran
    integer(c_int), intent(in) :: steps
    integer(c_int), intent(out) :: new_steps
    integer(c_int), allocatable :: steps_in_fortran
    fp_status = 0
    allocate(start_in_fortran, source=start, stat=fp_failed)
    if (fp_failed /= 0) then
      fp_status = 1
      return
    end if
    found = 0
    allocate(steps_in_fortran, source=steps, stat=fp_failed)
    if (fp_failed /= 0) then
      fp_status = 1
      return
    end if
    new_steps = 0
    call fp_called(start_in_fortran, found_in_fortran, steps_in_fortran)
    if (allocated(found_in_fortran)) found = found_in_fortran
    if (.not. allocated(found_in_fortran)) fp_status = 2
    if (allocated(steps_in_fortran)) new_steps = steps_in_fortran
    if (.not. allocated(steps_in_fortran)) fp_status = 2
  end function

  function half_for_c(x) bind(c, name="fields_half_for_c") result(result_of_half)
    use fields, only: fp_called => half
    real(c_double) :: result_of_half
    real(c_double), intent(in) :: x
    result_of_half = fp_called(x)
  end function
end module
