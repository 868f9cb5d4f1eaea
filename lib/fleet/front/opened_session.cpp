#include "fleet/front/opened_session.hpp"

#include "fleet/channel/channel_stream.hpp"
#include "session_access.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/protocol/framing.hpp>

#include <utility>

namespace partyline::fleet {
namespace {

channel::opener opener_of(std::weak_ptr<front_service> by, fleet_session_options& options)
{
    wanted_session wanted;
    wanted.peer = std::move(options.peer);
    wanted.client = std::move(options.client);
    wanted.traceparent = std::move(options.traceparent);
    wanted.kind = options.kind == fleet_session_kind::session ? session_kind::session : session_kind::requests;
    wanted.on_opened = std::move(options.on_opened);
    return [by = std::move(by), wanted = std::move(wanted)](const std::shared_ptr<channel>& one) {
        if (const auto self = by.lock())
            self->open(one, wanted);
        else
            front_service::refuse(*one, wanted, front_outcome::closed);
    };
}

} // namespace

session make_session(const std::shared_ptr<front_service>& by, const served_methods& methods,
                     fleet_session_options options)
{
    auto its = methods.for_session(by->executor(), options.session);
    const auto one = std::make_shared<channel>(by->executor(), by->channels(), opener_of(by, options));
    session_options how = std::move(options.session);
    how.executor_is_serial = true;
    how.at_end_of_input = end_of_input::peer_gone; // a worker that goes on would have said so
    auto lines = std::make_unique<line_framing>(how.bounds);
    auto driver = std::make_shared<stream_driver>(by->executor(), std::make_unique<channel_stream>(one), std::move(its),
                                                  std::move(how), std::move(lines));
    one->set_session(driver);
    return partyline::detail::session_access::make(std::move(driver));
}

} // namespace partyline::fleet
