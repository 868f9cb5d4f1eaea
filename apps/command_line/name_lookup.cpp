#include "command_line/name_lookup.hpp"

#include <cstdlib> // for __GLIBC__

#ifdef __GLIBC__
#include <nss.h>
#endif

namespace command_line {

void look_up_names_alone()
{
#if defined PARTYLINE_STATIC_PROGRAMS && defined __GLIBC__
    ::__nss_configure_lookup("hosts", "files dns");
#endif
}

} // namespace command_line
