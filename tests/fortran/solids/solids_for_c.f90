! Made by `fishplate init` from solids.f90: procedures of C for procedures that C cannot call.
module solids_for_c
  use, intrinsic :: iso_c_binding
  use solids, only: fp_type_solid => solid
  use solids, only: fp_type_ball => ball
  use solids, only: fp_type_balloon => balloon
  use solids, only: fp_constant_pi => pi
  use solids, only: fp_constant_g => g
  implicit none
  type :: fp_handle_solid
    class(fp_type_solid), allocatable :: object
  end type
  real(c_double), bind(c, name="solids_pi_for_c") :: pi_for_c = fp_constant_pi
  real(c_double), bind(c, name="solids_g_for_c") :: g_for_c = fp_constant_g
  interface
    function c_malloc(size) bind(c, name="malloc")
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: size
      type(c_ptr) :: c_malloc
    end function
    pure function c_strlen(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: c_strlen
    end function
  end interface
contains
  subroutine fp_free_solid(handle) bind(c, name="solids_free_solid")
    type(c_ptr), value :: handle
    type(fp_handle_solid), pointer :: found
    call c_f_pointer(handle, found)
    if (allocated(found%object)) deallocate(found%object)
    deallocate(found)
  end subroutine

  function fp_object_solid(handle) result(object)
    type(c_ptr), intent(in) :: handle
    class(fp_type_solid), pointer :: object
    type(fp_handle_solid), pointer :: found
    object => null()
    if (.not. c_associated(handle)) return
    call c_f_pointer(handle, found)
    select type (known => found%object)
    class is (fp_type_solid)
      object => known
    end select
  end function

  function fp_object_ball(handle) result(object)
    type(c_ptr), intent(in) :: handle
    class(fp_type_ball), pointer :: object
    type(fp_handle_solid), pointer :: found
    object => null()
    if (.not. c_associated(handle)) return
    call c_f_pointer(handle, found)
    select type (known => found%object)
    class is (fp_type_ball)
      object => known
    end select
  end function

  function fp_new_ball(handle, object) result(failed)
    type(c_ptr), intent(out) :: handle
    type(fp_type_ball), pointer, intent(out) :: object
    type(fp_handle_solid), pointer :: made
    integer :: failed
    handle = c_null_ptr
    object => null()
    allocate(made, stat=failed)
    if (failed == 0) then
      handle = c_loc(made)
      allocate(fp_type_ball :: made%object, stat=failed)
    end if
    failed = merge(1, 0, failed /= 0)
    if (failed /= 0) return
    select type (known => made%object)
    type is (fp_type_ball)
      object => known
    end select
  end function

  function fp_object_balloon(handle) result(object)
    type(c_ptr), intent(in) :: handle
    class(fp_type_balloon), pointer :: object
    type(fp_handle_solid), pointer :: found
    object => null()
    if (.not. c_associated(handle)) return
    call c_f_pointer(handle, found)
    select type (known => found%object)
    class is (fp_type_balloon)
      object => known
    end select
  end function

  function fp_new_balloon(handle, object) result(failed)
    type(c_ptr), intent(out) :: handle
    type(fp_type_balloon), pointer, intent(out) :: object
    type(fp_handle_solid), pointer :: made
    integer :: failed
    handle = c_null_ptr
    object => null()
    allocate(made, stat=failed)
    if (failed == 0) then
      handle = c_loc(made)
      allocate(fp_type_balloon :: made%object, stat=failed)
    end if
    failed = merge(1, 0, failed /= 0)
    if (failed /= 0) return
    select type (known => made%object)
    type is (fp_type_balloon)
      object => known
    end select
  end function

  function solid_get_density_for_c(object) bind(c, name="solids_solid_get_density_for_c") &
      result(value)
    real(c_double) :: value
    type(c_ptr), value :: object
    class(fp_type_solid), pointer :: found
    found => fp_object_solid(object)
    value = found%density
  end function

  subroutine solid_set_density_for_c(object, value) bind(c, name="solids_solid_set_density_for_c")
    real(c_double), value :: value
    type(c_ptr), value :: object
    class(fp_type_solid), pointer :: found
    found => fp_object_solid(object)
    found%density = value
  end subroutine

  function solid_method_volume_for_c(self) bind(c, name="solids_solid_method_volume_for_c") &
      result(result_of_measure)
    real(c_double) :: result_of_measure
    type(c_ptr), value :: self
    class(fp_type_solid), pointer :: self_in_fortran
    self_in_fortran => fp_object_solid(self)
    result_of_measure = self_in_fortran%volume()
  end function

  function solid_method_mass_for_c(self) bind(c, name="solids_solid_method_mass_for_c") &
      result(result_of_mass_of_solid)
    real(c_double) :: result_of_mass_of_solid
    type(c_ptr), value :: self
    class(fp_type_solid), pointer :: self_in_fortran
    self_in_fortran => fp_object_solid(self)
    result_of_mass_of_solid = self_in_fortran%mass()
  end function

  function ball_new_for_c(object) bind(c, name="solids_ball_new_for_c") result(fp_status)
    type(c_ptr), intent(out) :: object
    integer(c_int) :: fp_status
    type(fp_type_ball), pointer :: made
    fp_status = fp_new_ball(object, made)
  end function

  function ball_get_radius_for_c(object) bind(c, name="solids_ball_get_radius_for_c") result(value)
    real(c_double) :: value
    type(c_ptr), value :: object
    class(fp_type_ball), pointer :: found
    found => fp_object_ball(object)
    value = found%radius
  end function

  subroutine ball_set_radius_for_c(object, value) bind(c, name="solids_ball_set_radius_for_c")
    real(c_double), value :: value
    type(c_ptr), value :: object
    class(fp_type_ball), pointer :: found
    found => fp_object_ball(object)
    found%radius = value
  end subroutine

  subroutine ball_method_grow_for_c(self, by, radius) bind(c, name="solids_ball_method_grow_for_c")
    type(c_ptr), value :: self
    class(fp_type_ball), pointer :: self_in_fortran
    real(c_double), intent(in) :: by
    real(c_double), intent(out) :: radius
    self_in_fortran => fp_object_ball(self)
    call self_in_fortran%grow(by, radius)
  end subroutine

  function ball_method_log_for_c(self, result_of_log_of_ball, size_1_of_result_of_log_of_ball) &
      bind(c, name="solids_ball_method_log_for_c") result(fp_status)
    integer(c_int) :: fp_status
    type(c_ptr), value :: self
    class(fp_type_ball), pointer :: self_in_fortran
    type(c_ptr), intent(out) :: result_of_log_of_ball
    integer(c_size_t), intent(out) :: size_1_of_result_of_log_of_ball
    real(c_double), pointer :: result_of_log_of_ball_in_c(:)
    real(c_double), allocatable :: result_of_log_of_ball_in_fortran(:)
    fp_status = 0
    self_in_fortran => fp_object_ball(self)
    result_of_log_of_ball = c_null_ptr
    size_1_of_result_of_log_of_ball = 0
    result_of_log_of_ball_in_fortran = self_in_fortran%log()
    if (allocated(result_of_log_of_ball_in_fortran)) then
      size_1_of_result_of_log_of_ball = size(result_of_log_of_ball_in_fortran, 1, c_size_t)
      if (size(result_of_log_of_ball_in_fortran) > 0) then
        result_of_log_of_ball = c_malloc(size(result_of_log_of_ball_in_fortran, kind=c_size_t) * &
            (storage_size(result_of_log_of_ball_in_fortran) / 8))
        if (.not. c_associated(result_of_log_of_ball)) then
          fp_status = 1
          return
        end if
        call c_f_pointer(result_of_log_of_ball, result_of_log_of_ball_in_c, &
            shape(result_of_log_of_ball_in_fortran))
        result_of_log_of_ball_in_c = result_of_log_of_ball_in_fortran
      end if
    end if
  end function

  subroutine ball_method_set_radius_for_c(self, radius) bind(c, &
      name="solids_ball_method_set_radius_for_c")
    type(c_ptr), value :: self
    class(fp_type_ball), pointer :: self_in_fortran
    real(c_double), intent(in) :: radius
    self_in_fortran => fp_object_ball(self)
    call self_in_fortran%set(radius)
  end subroutine

  subroutine ball_method_set_from_array_for_c(self, volumes, size_1_of_volumes) bind(c, &
      name="solids_ball_method_set_from_array_for_c")
    type(c_ptr), value :: self
    class(fp_type_ball), pointer :: self_in_fortran
    integer(c_size_t), value :: size_1_of_volumes
    real(c_double), intent(in) :: volumes(size_1_of_volumes)
    self_in_fortran => fp_object_ball(self)
    call self_in_fortran%set(volumes)
  end subroutine

  function balloon_new_for_c(object) bind(c, name="solids_balloon_new_for_c") result(fp_status)
    type(c_ptr), intent(out) :: object
    integer(c_int) :: fp_status
    type(fp_type_balloon), pointer :: made
    fp_status = fp_new_balloon(object, made)
  end function

  function ball_of_radius_for_c(radius, density, result_of_ball_of_radius) bind(c, &
      name="solids_ball_of_radius_for_c") result(fp_status)
    use solids, only: fp_called => ball
    integer(c_int) :: fp_status
    real(c_double), intent(in) :: radius
    real(c_double), intent(in), optional :: density
    type(c_ptr), intent(out) :: result_of_ball_of_radius
    integer :: fp_failed
    type(fp_type_ball), pointer :: result_of_ball_of_radius_in_fortran
    fp_status = 0
    fp_failed = fp_new_ball(result_of_ball_of_radius, result_of_ball_of_radius_in_fortran)
    if (fp_failed /= 0) then
      fp_status = 1
      return
    end if
    result_of_ball_of_radius_in_fortran = fp_called(radius, density)
  end function

  function make_for_c(kind, length_of_kind, made) bind(c, name="solids_make_for_c") &
      result(fp_status)
    use solids, only: fp_called => make
    integer(c_int) :: fp_status
    integer(c_size_t), value :: length_of_kind
    character(kind=c_char), intent(in) :: kind(*)
    character(len=length_of_kind) :: kind_in_fortran
    integer(c_size_t) :: fp_k
    type(c_ptr), intent(out) :: made
    integer :: fp_failed
    class(fp_type_ball), allocatable :: made_in_fortran
    type(fp_handle_solid), pointer :: made_handle
    fp_status = 0
    do fp_k = 1, length_of_kind
      kind_in_fortran(fp_k:fp_k) = kind(fp_k)
    end do
    made = c_null_ptr
    call fp_called(kind_in_fortran, made_in_fortran)
    if (allocated(made_in_fortran)) then
      allocate(made_handle, stat=fp_failed)
      if (fp_failed /= 0) then
        fp_status = 1
        return
      end if
      call move_alloc(made_in_fortran, made_handle%object)
      made = c_loc(made_handle)
    end if
  end function

  function paint_for_c(one, other, copy) bind(c, name="solids_paint_for_c") result(fp_status)
    use solids, only: fp_called => paint
    integer(c_int) :: fp_status
    type(c_ptr), value :: one
    class(fp_type_solid), pointer :: one_in_fortran
    type(c_ptr), value :: other
    class(fp_type_solid), pointer :: other_in_fortran
    type(c_ptr), intent(out) :: copy
    integer :: fp_failed
    type(fp_type_ball), pointer :: copy_in_fortran
    fp_status = 0
    one_in_fortran => fp_object_solid(one)
    other_in_fortran => fp_object_solid(other)
    fp_failed = fp_new_ball(copy, copy_in_fortran)
    if (fp_failed /= 0) then
      fp_status = 1
      return
    end if
    call fp_called(one_in_fortran, other_in_fortran, copy_in_fortran)
  end function

  function label_all_for_c(names, size_1_of_names, longest, count_of_a) bind(c, &
      name="solids_label_all_for_c") result(fp_status)
    use solids, only: fp_called => label_all
    integer(c_int) :: fp_status
    integer(c_size_t), value :: size_1_of_names
    type(c_ptr), intent(in) :: names(size_1_of_names)
    character(len=:), allocatable :: names_in_fortran(:)
    integer(c_size_t) :: fp_k
    integer(c_size_t) :: fp_length
    integer(c_size_t) :: fp_at
    character(kind=c_char), pointer :: fp_characters(:)
    integer :: fp_failed
    integer(c_int), intent(out) :: longest
    integer(c_int), intent(out) :: count_of_a
    fp_status = 0
    fp_length = 0
    do fp_at = 1, size_1_of_names
      fp_length = max(fp_length, c_strlen(names(fp_at)))
    end do
    allocate(character(len=fp_length) :: names_in_fortran(size_1_of_names), stat=fp_failed)
    if (fp_failed /= 0) then
      fp_status = 1
      return
    end if
    do fp_at = 1, size_1_of_names
      call c_f_pointer(names(fp_at), fp_characters, [c_strlen(names(fp_at))])
      names_in_fortran(fp_at) = ''
      do fp_k = 1, size(fp_characters, kind=c_size_t)
        names_in_fortran(fp_at)(fp_k:fp_k) = fp_characters(fp_k)
      end do
    end do
    call fp_called(names_in_fortran, longest, count_of_a)
  end function

  function sampled_for_c(points, size_1_of_points, f) bind(c, name="solids_sampled_for_c") &
      result(result_of_sampled)
    use solids, only: fp_called => sampled
    real(c_double) :: result_of_sampled
    integer(c_size_t), value :: size_1_of_points
    real(c_double), intent(in) :: points(size_1_of_points)
    abstract interface
      function curve(t)
        import
        real(c_double), intent(in) :: t
        real(c_double) :: curve
      end function
    end interface
    type(c_funptr), value :: f
    procedure(curve), pointer :: f_in_fortran
    f_in_fortran => null()
    if (c_associated(f)) call c_f_procpointer(f, f_in_fortran)
    result_of_sampled = fp_called(points, f_in_fortran)
  end function
end module
