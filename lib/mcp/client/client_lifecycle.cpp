#include "mcp/client/client_lifecycle.hpp"

#include "mcp/wire/methods.hpp"

#include <partyline/protocol/message.hpp>

#include <boost/json/value.hpp>

namespace json = boost::json;

namespace partyline::mcp {

// The protocol's own come to their handlers, which have something to do in any case. Those of an extension may run
// elsewhere.
ruling client_lifecycle::on_notification(const message& m, message_reader& reader)
{
    ruling taken;
    if (!is_open_ || is_of_protocol(m.method))
        return taken;
    const auto meta = reader.find_param("_meta").try_to_value();
    const json::object* const members = meta ? meta->if_object() : nullptr;
    if (members && !is_open_(*members))
        taken.action = ruling_action::drop;
    return taken;
}

} // namespace partyline::mcp
