#include "protocol/json/fill_random.hpp"

#include <boost/system/system_error.hpp>

#include <cerrno>

#include <sys/random.h>
#include <unistd.h> // some C libraries have it here, and some there

namespace partyline {

void fill_random(void* target, std::size_t size)
{
    if (::getentropy(target, size) != 0)
        throw boost::system::system_error(errno, boost::system::system_category(), "random numbers");
}

} // namespace partyline
