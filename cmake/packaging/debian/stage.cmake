# Run by CPack before it makes packages of what is staged: adds the copyright file and the changelogs to each,
# compresses what Debian has compressed, and gives every file the time SOURCE_DATE_EPOCH, unless set that of the
# release, so that packages that are made twice are equal.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()
list(GET CPACK_BUILD_SOURCE_DIRS 0 source)
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

function(run)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE out OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(out "${out}" PARENT_SCOPE)
endfunction()

file(STRINGS ${source}/CHANGELOG.md released REGEX "^## .${CPACK_PACKAGE_VERSION}. - ")
string(REGEX REPLACE ".* - " "" released "${released}")
if(NOT released)
    message(FATAL_ERROR "CHANGELOG.md has no heading with the date of ${CPACK_PACKAGE_VERSION}")
endif()
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
    run(date --utc --date=${released} +%s)
    set(ENV{SOURCE_DATE_EPOCH} ${out})
endif()
set(ENV{LC_ALL} C)
run(date --utc --date=${released} --rfc-email)
set(date ${out})

set(readable FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(share ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
    set(doc ${share}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright ${doc}/copyright COPYONLY ${readable})
    configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${doc}/changelog.Debian @ONLY ${readable})
    configure_file(${source}/CHANGELOG.md ${doc}/changelog COPYONLY ${readable})
    file(GLOB pages ${share}/man/man*/*)
    run(gzip --best --no-name ${doc}/changelog.Debian ${doc}/changelog ${pages})
endforeach()

# The programs of the packages are not where the units say that they are put by hand.
file(GLOB units ${CPACK_TEMPORARY_DIRECTORY}/programs/*/share/doc/*/examples/*/*.service)
run(sed --in-place "s,/usr/local/bin/partyline-,/usr/bin/partyline-," ${units})
run(find ${CPACK_TEMPORARY_DIRECTORY} -type d -exec chmod 755 {} +)
run(find ${CPACK_TEMPORARY_DIRECTORY} -exec touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} {} +)
