# The target `reference`: what the public headers say, as pages in reference/html of the build folder. It needs Doxygen
# and Python 3; without them it fails, and says so.
set(reference_dir ${PROJECT_BINARY_DIR}/reference)
configure_file(cmake/reference/Doxyfile.in Doxyfile @ONLY)

set(program bash ${PROJECT_SOURCE_DIR}/test/interop/with_program.sh)
set(partyline_make_reference ${program} doxygen ${program} python3
    bash ${PROJECT_SOURCE_DIR}/cmake/reference/make.sh ${PROJECT_BINARY_DIR}/Doxyfile ${reference_dir})
add_custom_target(reference COMMAND ${partyline_make_reference} VERBATIM)
unset(program)
