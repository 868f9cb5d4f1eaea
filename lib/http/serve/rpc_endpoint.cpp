#include "http/serve/rpc_endpoint.hpp"

#include "http/serve/connection_conversation.hpp"
#include "http/serve/server_core.hpp"

#include <utility>

namespace partyline::http {

std::shared_ptr<connection_conversation> conversation_of(const endpoint& by, kept_state& of, server_core& core,
                                                         const conversation_maker& make)
{
    const std::shared_ptr<connection_state> kept = of.find(by);
    if (auto known = std::static_pointer_cast<connection_conversation>(kept); known && known->is_usable())
        return known;
    session_options options = core.options().session;
    std::shared_ptr<const dispatcher> methods = make(options);
    auto made =
        std::make_shared<connection_conversation>(core.shared_from_this(), std::move(methods), std::move(options));
    of.keep(by, made);
    return made;
}

endpoint::answer rpc_endpoint::serve(request&& asked, kept_state& of, reply_line& line)
{
    const std::shared_ptr<connection_conversation> by = conversation_of(*this, of, *core_.lock(), make_);
    if (std::optional<response> refused = by->begin(std::move(asked), status_rule::plain, line))
        return std::move(*refused);
    return std::shared_ptr<exchange>(by);
}

} // namespace partyline::http
