#include "http/websocket/mask_source.hpp"

#include <boost/system/system_error.hpp>

#include <cerrno>

#include <sys/random.h>

namespace partyline::http {

const mask_key& mask_source::next()
{
    if (used_ == keys_.size()) {
        // So few bytes come whole, whatever interrupts.
        if (::getrandom(keys_.data(), sizeof keys_, 0) != static_cast<ssize_t>(sizeof keys_))
            throw boost::system::system_error(errno, boost::system::system_category(), "random numbers");
        used_ = 0;
    }
    return keys_[used_++];
}

} // namespace partyline::http
