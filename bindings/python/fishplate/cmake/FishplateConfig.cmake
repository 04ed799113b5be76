# find_package(Fishplate): modules of interface files, and the headers fishplate/python.h and fishplate/python.hpp.
#
#   fishplate_add_module(TARGET INTERFACE)  a target for the Python module of an interface file
#   Fishplate::headers                      a target to link: it brings the folder of the headers
#   Fishplate_INCLUDE_DIR                   that folder
#
# Python is found by the caller: find_package(Python COMPONENTS Interpreter Development.Module NumPy).

get_filename_component(Fishplate_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../include" ABSOLUTE)

if(NOT TARGET Fishplate::headers)
  add_library(Fishplate::headers INTERFACE IMPORTED)
  set_target_properties(Fishplate::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Fishplate_INCLUDE_DIR}")
endif()

# fishplate_add_module(TARGET INTERFACE [STABLE_ABI] [DESTINATION DIR])
#
# Adds the Python module of an interface file as a target. The sources, folders, macros, flags and libraries of the
# interface are those of the target; target_link_libraries() and others add to them. The module is emitted again when the
# interface, or a header that it includes, has changed. The module, its type stub and py.typed are installed into the
# package that the module's name says, below DIR, which is `.` by default. With STABLE_ABI, or `stable-abi = true` in the
# interface, the module uses only the stable ABI of Python 3.12, if Python is CPython 3.12 or later with its GIL.
function(fishplate_add_module target interface)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STABLE_ABI" "DESTINATION" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fishplate_add_module: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT COMMAND Python_add_library)
    message(FATAL_ERROR "fishplate_add_module: first write find_package(Python COMPONENTS Interpreter Development.Module NumPy REQUIRED)")
  endif()
  if(NOT DEFINED arg_DESTINATION)
    set(arg_DESTINATION .)
  endif()

  set(out "${CMAKE_CURRENT_BINARY_DIR}/${target}-generated")
  set(description "${out}/build.json")
  set(depfile "${out}/${target}.d")
  # The package that this file is part of, whether or not it is on Python's search path.
  get_filename_component(site "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.." ABSOLUTE)
  set(emit ${CMAKE_COMMAND} -E env "PYTHONPATH=${site}"
    "${Python_EXECUTABLE}" -m fishplate emit "${interface}" --out "${out}" --describe "${description}" --depfile "${depfile}")
  execute_process(COMMAND ${emit} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    OUTPUT_QUIET RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${interface} has errors")
  endif()

  file(READ "${description}" json)
  foreach(key sources include_dirs defines cflags link_flags libraries library_dirs dependencies)
    set(${key})
    string(JSON count LENGTH "${json}" ${key})
    math(EXPR last "${count} - 1")
    if(count)
      foreach(index RANGE ${last})
        string(JSON value GET "${json}" ${key} ${index})
        list(APPEND ${key} "${value}")
      endforeach()
    endif()
  endforeach()
  # Other sources, or another name, change the target itself.
  foreach(file ${dependencies})
    get_filename_component(file "${file}" ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  endforeach()
  list(GET sources 0 unit)
  get_filename_component(interface_path "${interface}" ABSOLUTE)
  add_custom_command(OUTPUT "${unit}" COMMAND ${emit} DEPENDS "${interface_path}" DEPFILE "${depfile}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" COMMENT "Emitting ${unit}" VERBATIM)

  string(JSON stable GET "${json}" stable_abi)
  if((arg_STABLE_ABI OR stable) AND Python_INTERPRETER_ID STREQUAL "Python" AND Python_VERSION VERSION_GREATER_EQUAL 3.12
     AND NOT Python_SOABI MATCHES "^cpython-[0-9]+t")
    Python_add_library(${target} MODULE ${sources})
    list(APPEND defines Py_LIMITED_API=0x030C0000)
    if(NOT WIN32)
      set_target_properties(${target} PROPERTIES SUFFIX .abi3.so)
    endif()
  else()
    Python_add_library(${target} MODULE WITH_SOABI ${sources})
  endif()
  string(JSON module GET "${json}" module)
  string(REGEX MATCH "[^.]+$" name "${module}")
  string(REGEX REPLACE "\\.?[^.]+$" "" package "${module}")
  string(REPLACE "." "/" package "${package}")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${name}" C_VISIBILITY_PRESET hidden)
  target_include_directories(${target} PRIVATE ${include_dirs})
  if(TARGET Python::NumPy)
    target_link_libraries(${target} PRIVATE Python::NumPy)
  else()
    execute_process(COMMAND "${Python_EXECUTABLE}" -c "import numpy; print(numpy.get_include())"
      OUTPUT_VARIABLE numpy OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    target_include_directories(${target} SYSTEM PRIVATE "${numpy}")
  endif()
  target_compile_definitions(${target} PRIVATE ${defines})
  target_compile_options(${target} PRIVATE ${cflags})
  target_link_options(${target} PRIVATE ${link_flags})
  target_link_directories(${target} PRIVATE ${library_dirs})
  target_link_libraries(${target} PRIVATE ${libraries})
  if(UNIX AND NOT APPLE)
    target_link_libraries(${target} PRIVATE m)
  endif()

  install(TARGETS ${target} LIBRARY DESTINATION "${arg_DESTINATION}/${package}")
  string(JSON count LENGTH "${json}" install)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON file GET "${json}" install ${index} file)
    string(JSON as GET "${json}" install ${index} as)
    get_filename_component(folder "${as}" DIRECTORY)
    install(FILES "${file}" DESTINATION "${arg_DESTINATION}/${folder}")
  endforeach()
endfunction()
