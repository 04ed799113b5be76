# find_package(Fishplate): the headers fishplate/python.h and fishplate/python.hpp.
#
#   Fishplate::headers     a target to link: it brings the folder of the headers
#   Fishplate_INCLUDE_DIR  that folder
#
# Python itself is the caller's to find: find_package(Python COMPONENTS Interpreter Development.Module).

get_filename_component(Fishplate_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../include" ABSOLUTE)

if(NOT TARGET Fishplate::headers)
  add_library(Fishplate::headers INTERFACE IMPORTED)
  set_target_properties(Fishplate::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Fishplate_INCLUDE_DIR}")
endif()
