# Finds libnats 3.3 or newer, as nats::nats. Its own CMake file is of no use on Debian 12: that names an archive which
# is not there.
find_path(partyline_nats_INCLUDE nats/nats.h)
find_library(partyline_nats_LIBRARY nats)
mark_as_advanced(partyline_nats_INCLUDE partyline_nats_LIBRARY)

set(partyline_nats_VERSION)
if(partyline_nats_INCLUDE AND EXISTS "${partyline_nats_INCLUDE}/nats/version.h")
    file(STRINGS "${partyline_nats_INCLUDE}/nats/version.h" partyline_nats_VERSION REGEX "define NATS_VERSION_STRING")
    string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" partyline_nats_VERSION "${partyline_nats_VERSION}")
endif()
set(partyline_nats_FOUND FALSE)
if(partyline_nats_LIBRARY AND partyline_nats_VERSION VERSION_GREATER_EQUAL 3.3)
    set(partyline_nats_FOUND TRUE)
endif()

if(partyline_nats_FOUND AND NOT TARGET nats::nats)
    add_library(nats::nats UNKNOWN IMPORTED)
    set_target_properties(nats::nats PROPERTIES
        IMPORTED_LOCATION "${partyline_nats_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${partyline_nats_INCLUDE}")
endif()
