#include "http/serve/refused_openings.hpp"

#include "session/log.hpp"
#include "transport/socket/address_count.hpp"

#include <new>
#include <string>
#include <utility>

namespace partyline::http {

void refused_openings::note(const peer_identity& from, const std::function<void(std::string_view)>& log) noexcept
{
    try {
        if (!from.address) {
            if (!std::exchange(is_local_known_, true))
                write_log(log, "closed a connection to a Unix socket that began with what is not served there");
            return;
        }
        if (known_.size() == most)
            known_.clear();
        if (known_.insert(origin_of(from.address->address())).second)
            write_log(log, "closed a connection from " + from.address->address().to_string() +
                               " that began with what is not served there");
    } catch (const std::bad_alloc&) { // no memory for the line
    }
}

} // namespace partyline::http
