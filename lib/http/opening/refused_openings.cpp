#include "http/opening/refused_openings.hpp"

#include "transport/socket/address_count.hpp"

#include <partyline/session/log.hpp>

#include <new>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

void refused_openings::note(const peer_identity& from, const std::function<void(std::string_view)>& log) noexcept
{
    try {
        if (!from.address) {
            if (!std::exchange(is_local_known_, true))
                write_log(log, "closed a connection to a Unix socket that began with what is not served there");
            return;
        }
        if (is_news(origin_of(from.address->ip)))
            write_log(log, "closed a connection from " + from.address->ip.to_string() +
                               " that began with what is not served there");
    } catch (const std::bad_alloc&) { // no memory for the line
    }
}

// Who has addresses enough could fill the log with them: once there are too many, nothing is news until a while without
// new ones.
bool refused_openings::is_news(const asio::ip::address& origin)
{
    if (known_.contains(origin))
        return false;
    const bool begins = newcomers_.allows(log_throttle::clock::now());
    if (known_.size() == most && !begins)
        return false;
    if (known_.size() == most)
        known_.clear();
    known_.insert(origin);
    return true;
}

} // namespace partyline::http
