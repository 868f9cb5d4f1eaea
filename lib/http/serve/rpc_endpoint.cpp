#include "http/serve/rpc_endpoint.hpp"

#include "http/serve/http_service.hpp"
#include "http/serve/kept_conversation.hpp"
#include "http/serve/use_peer.hpp"

#include <utility>

namespace partyline::http {

std::shared_ptr<kept_conversation> conversation_of(const endpoint& by, kept_state& of, http_service& core,
                                                   const served_methods& methods, const request& asked)
{
    const std::shared_ptr<connection_state> kept = of.find(by);
    if (auto known = std::static_pointer_cast<kept_conversation>(kept);
        known && known->is_usable() && known->is_of(asked.grant))
        return known;
    session_options options = core.options().session;
    use_peer(options, asked.from, asked.grant.get());
    std::shared_ptr<const dispatcher> its = methods.for_session(core.executor(), options);
    auto made =
        std::make_shared<kept_conversation>(core.shared_from_this(), std::move(its), std::move(options), asked.grant);
    of.keep(by, made);
    return made;
}

endpoint::answer rpc_endpoint::serve(request&& asked, kept_state& of, reply_sink& line)
{
    const auto by = conversation_of(*this, of, *core_.lock(), methods_, asked);
    return by->serve(std::move(asked), status_rule::plain, line);
}

} // namespace partyline::http
