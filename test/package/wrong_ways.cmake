# Each wrong way to configure, to compile and to find partyline ends in a sentence that says what to do:
# cmake -D source=... -D scratch=... -D prefix=... -D compiler=... -D clang=... -D ninja=... -P wrong_ways.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${scratch})
file(MAKE_DIRECTORY ${scratch}/user)
set(rows 0)
set(failures 0)

# check(sentence words...): the command fails, and says this, however its lines are broken.
macro(check sentence)
    math(EXPR rows "${rows} + 1")
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 60)
    string(REGEX REPLACE "[ \n]+" " " said "${said}")
    string(FIND "${said}" "${sentence}" found)
    if(result EQUAL 0 OR found EQUAL -1)
        math(EXPR failures "${failures} + 1")
        message("row ${rows}: wanted: ${sentence}\n  got (${result}): ${said}")
    endif()
endmacro()

# configuring(sentence options...): of this project.
macro(configuring sentence)
    file(REMOVE_RECURSE ${scratch}/build)
    check("${sentence}" ${CMAKE_COMMAND} -S ${source} -B ${scratch}/build -G Ninja -D CMAKE_MAKE_PROGRAM=${ninja} -D CMAKE_CXX_COMPILER=${compiler}
        -D CMAKE_BUILD_TYPE=Release ${ARGN})
endmacro()

# A compiler that says it is another one.
function(write_compiler name program options)
    file(WRITE ${scratch}/${name} "#!/bin/sh\nexec ${program} ${options} -Wno-builtin-macro-redefined \"$@\"\n")
    file(CHMOD ${scratch}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# A Boost of this version with these components.
function(write_boost folder version)
    set(targets)
    foreach(component IN LISTS ARGN)
        string(APPEND targets "add_library(Boost::${component} INTERFACE IMPORTED GLOBAL)\nset(Boost_${component}_FOUND TRUE)\n")
    endforeach()
    file(WRITE ${scratch}/${folder}/BoostConfig.cmake "if(TARGET Boost::json)\n  set(Boost_FOUND TRUE)\nelse()\n${targets}set(Boost_FOUND TRUE)\nendif()
foreach(one IN LISTS Boost_FIND_COMPONENTS)\n  if(NOT TARGET Boost::\${one})\n    set(Boost_FOUND FALSE)\n  endif()\nendforeach()\n")
    file(WRITE ${scratch}/${folder}/BoostConfigVersion.cmake "set(PACKAGE_VERSION ${version})
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER ${version})\n  set(PACKAGE_VERSION_COMPATIBLE TRUE)\nendif()\n")
endfunction()

write_compiler(old-g++ ${compiler} "-U__GNUC__ -D__GNUC__=11")
write_compiler(other-c++ ${compiler} "-D__COMO__ -D__COMO_VERSION__=433")
write_boost(old_boost 1.74.0 json)
write_boost(boost_without_json 1.81.0 headers)
write_boost(boost_without_options 1.81.0 json)
write_boost(boost_without_test 1.81.0 json program_options)
file(WRITE ${scratch}/old_ssl/include/openssl/opensslv.h "#define OPENSSL_VERSION_TEXT \"OpenSSL 1.1.1w\"\n#define OPENSSL_VERSION_NUMBER 0x1010117fL\n")
set(old_boost -D Boost_DIR=${scratch}/old_boost
    -D CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -D CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF) # and not the one of the system
set(libraries -D PARTYLINE_BUILD_APPS=OFF -D PARTYLINE_BUILD_TESTS=OFF)

configuring("There is no option PARTYLINE_BUILD_TEST. Those of partyline are: PARTYLINE_BUILD_ACCESS, PARTYLINE_BUILD_ALL_TESTS, PARTYLINE_BUILD_APPS," -D PARTYLINE_BUILD_TEST=OFF
    ${libraries})
configuring("PARTYLINE_BUILD_APPS needs the static libraries" -D BUILD_SHARED_LIBS=ON -D PARTYLINE_BUILD_APPS=ON)
configuring("PARTYLINE_BUILD_TESTS needs the static libraries" -D BUILD_SHARED_LIBS=ON -D PARTYLINE_BUILD_TESTS=ON)
configuring("beside the static ones: set BUILD_SHARED_LIBS to OFF" -D BUILD_SHARED_LIBS=ON -D PARTYLINE_BUILD_BOTH=ON)
configuring("PARTYLINE_BUILD_APPS needs all of the library but MCP: set PARTYLINE_BUILD_ACCESS to ON" -D PARTYLINE_BUILD_ACCESS=OFF)
configuring("PARTYLINE_BUILD_APPS needs all of the library but MCP: set PARTYLINE_BUILD_HTTP to ON" -D PARTYLINE_BUILD_HTTP=OFF)
configuring("PARTYLINE_BUILD_APPS needs all of the library but MCP: set PARTYLINE_BUILD_TLS to ON" -D PARTYLINE_BUILD_TLS=OFF)
configuring("partyline needs C++20: CMAKE_CXX_STANDARD is 17" -D CMAKE_CXX_STANDARD=17)
configuring("partyline needs a POSIX system, such as Linux; this is Generic" -D CMAKE_SYSTEM_NAME=Generic)
configuring("partyline needs C++20 coroutines: g++ 12 or clang 16 at least" -D CMAKE_CXX_COMPILER=${scratch}/old-g++)
configuring("partyline is built by g++ 12 or clang 16, or newer ones" -D CMAKE_CXX_COMPILER=${scratch}/other-c++)
configuring("partyline needs Boost 1.81 or newer with Boost.JSON" -D CMAKE_DISABLE_FIND_PACKAGE_Boost=ON)
configuring("partyline needs Boost 1.81 or newer with Boost.JSON" ${old_boost})
configuring("partyline needs Boost 1.81 or newer with Boost.JSON" -D Boost_DIR=${scratch}/boost_without_json)
configuring("The programs need Boost.ProgramOptions" -D Boost_DIR=${scratch}/boost_without_options)
configuring("The tests need Boost.Test" -D Boost_DIR=${scratch}/boost_without_test -D PARTYLINE_BUILD_APPS=OFF)
configuring("The tests need Python 3" -D PARTYLINE_BUILD_APPS=OFF -D CMAKE_DISABLE_FIND_PACKAGE_Python3=ON)
configuring("need OpenSSL 3. On Debian and Ubuntu install libssl-dev" -D CMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON)
configuring("need OpenSSL 3. On Debian and Ubuntu install libssl-dev" -D OPENSSL_INCLUDE_DIR=${scratch}/old_ssl/include)
configuring("partyline::telemetry needs prometheus-cpp: on Debian and Ubuntu install prometheus-cpp-dev" -D PARTYLINE_BUILD_TELEMETRY=ON
    -D CMAKE_DISABLE_FIND_PACKAGE_prometheus-cpp=ON)
configuring("partyline::fleet needs libnats 3.3 or newer: on Debian and Ubuntu install libnats-dev" -D PARTYLINE_BUILD_FLEET=ON
    -D CMAKE_DISABLE_FIND_PACKAGE_partyline_nats=ON)
configuring("partyline::fleet is an archive alone: set BUILD_SHARED_LIBS" -D PARTYLINE_BUILD_FLEET=ON -D BUILD_SHARED_LIBS=ON)
configuring("partyline needs threads of the system" -D CMAKE_DISABLE_FIND_PACKAGE_Threads=ON)
configuring("has no -fsanitize=adrs" -D PARTYLINE_SANITIZE=adrs)
configuring("address and thread exclude each other" -D PARTYLINE_SANITIZE=address,thread)
configuring("PARTYLINE_PGO is `yes`; it can be `train`, `use` or empty" -D PARTYLINE_PGO=yes)
if(clang)
    write_compiler(old-clang++ ${clang} "-U__clang_major__ -D__clang_major__=15")
    configuring("partyline needs C++20 coroutines: g++ 12 or clang 16 at least" -D CMAKE_CXX_COMPILER=${scratch}/old-clang++)
    configuring("PARTYLINE_PGO needs g++" -D CMAKE_CXX_COMPILER=${clang} -D PARTYLINE_PGO=use)
endif()

file(MAKE_DIRECTORY ${scratch}/sources)
file(CREATE_LINK ${source}/cmake ${scratch}/sources/cmake SYMBOLIC)
file(CREATE_LINK ${source}/include ${scratch}/sources/include SYMBOLIC)
file(COPY ${source}/CMakeLists.txt DESTINATION ${scratch}/sources)
check("partyline is not built among its sources" ${CMAKE_COMMAND} -D CMAKE_CXX_COMPILER=${compiler} -S ${scratch}/sources
    -B ${scratch}/sources)

# What does not configure by CMake, the first header finds.
set(header -x c++ -fsyntax-only ${source}/include/partyline/config.hpp)
file(WRITE ${scratch}/only_old/boost/version.hpp "#define BOOST_VERSION 107400\n")
file(WRITE ${scratch}/only_old/boost/json/value.hpp "")
file(WRITE ${scratch}/only_headers/boost/version.hpp "#define BOOST_VERSION 108100\n")
check("partyline needs C++20: compile with -std=c++20" ${compiler} -std=c++17 ${header})
check("partyline needs coroutines" ${compiler} -std=c++20 -fno-coroutines ${header})
check("partyline needs exceptions" ${compiler} -std=c++20 -fno-exceptions ${header})
check("partyline needs run-time type information" ${compiler} -std=c++20 -fno-rtti ${header})
check("partyline needs g++ 12 or newer" ${scratch}/old-g++ -std=c++20 ${header})
check("partyline needs a POSIX system" ${compiler} -std=c++20 -U__unix__ ${header})
check("partyline needs a 64-bit system" ${compiler} -std=c++20 -U__SIZEOF_SIZE_T__ -D__SIZEOF_SIZE_T__=4 ${header})
check("there is none in the include path" ${compiler} -std=c++20 -nostdinc -I ${scratch}/user ${header})
check("which this Boost comes without" ${compiler} -std=c++20 -nostdinc -I ${scratch}/only_headers ${header})
check("an older one is in the include path" ${compiler} -std=c++20 -nostdinc -I ${scratch}/only_old ${header})
if(clang)
    check("partyline needs clang 16 or newer" ${scratch}/old-clang++ -std=c++20 ${header})
endif()

# finding(sentence components options...): by the installed package.
macro(finding sentence components)
    file(WRITE ${scratch}/user/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)
find_package(partyline REQUIRED COMPONENTS ${components})\n")
    file(REMOVE_RECURSE ${scratch}/user/build)
    check("${sentence}" ${CMAKE_COMMAND} -S ${scratch}/user -B ${scratch}/user/build -G Ninja -D CMAKE_MAKE_PROGRAM=${ninja}
        -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix} ${ARGN})
endmacro()
finding("partyline has no component grpc: there are partyline, access, fleet, http, mcp, mcp_extensions, mcp_test, telemetry and tls" "http grpc")
finding("partyline needs Boost 1.81 or newer with Boost.JSON" partyline -D CMAKE_DISABLE_FIND_PACKAGE_Boost=ON)
finding("partyline needs Boost 1.81 or newer with Boost.JSON" partyline ${old_boost})
finding("Every component of partyline but itself, fleet and telemetry needs OpenSSL 3" mcp -D CMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON)
finding("Every component of partyline but itself, fleet and telemetry needs OpenSSL 3" mcp_extensions
    -D BUILD_SHARED_LIBS=ON -D CMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON) # an archive among shared libraries
finding("partyline needs threads of the system" partyline -D CMAKE_DISABLE_FIND_PACKAGE_Threads=ON)
# linking(sentence how component): a target links a component that the package, or the folder of sources, is without.
macro(linking sentence how)
    file(WRITE ${scratch}/user/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)
${how}\nadd_library(mine SHARED mine.cpp)\ntarget_link_libraries(mine PRIVATE partyline::partyline partyline::${ARGN})\n")
    file(WRITE ${scratch}/user/mine.cpp "")
    file(REMOVE_RECURSE ${scratch}/user/build)
    check("${sentence}" ${CMAKE_COMMAND} -S ${scratch}/user -B ${scratch}/user/build -G Ninja -D CMAKE_MAKE_PROGRAM=${ninja}
        -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix})
endmacro()
set(package "find_package(partyline REQUIRED)")
set(sources "add_subdirectory(${source} partyline)")
linking("mine links partyline::mcp, and find_package was not asked for it: find_package(partyline REQUIRED COMPONENTS mcp)"
    "${package}" mcp)
linking("mine links partyline::grpc, which is no component of partyline: there are access, fleet" "${package}" grpc)
linking("told so: set(PARTYLINE_BUILD_TLS ON) before partyline is added" "${sources}" tls)
linking("told so: set(PARTYLINE_BUILD_MCP ON) before partyline is added" "${sources}" mcp_test)
linking("told so: set(PARTYLINE_BUILD_MCP ON) before partyline is added" "${sources}" mcp_extensions)

file(COPY ${prefix}/ DESTINATION ${scratch}/without_http)
file(GLOB_RECURSE of_http ${scratch}/without_http/*/partyline-http-*.cmake)
file(REMOVE ${of_http})
set(prefix ${scratch}/without_http)
finding("This partyline was built without http" http)

message("${rows} wrong ways, ${failures} without a sentence")
if(failures OR rows LESS 30)
    message(FATAL_ERROR "see above")
endif()
