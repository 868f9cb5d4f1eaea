#include "mcp/client/client_lifecycle.hpp"

#include "mcp/wire/methods.hpp"
#include "protocol/message/whole_number.hpp"

#include <partyline/protocol/message.hpp>

namespace partyline::mcp {

// Notifications of the protocol itself are checked by their handlers, which drop cached results in any case. Handlers
// of an extension may run on another executor.
ruling client_lifecycle::on_notification(const message& m, message_reader& reader)
{
    ruling taken;
    if (!is_open_ || is_of_protocol(m.method))
        return taken;
    const json_view meta = reader.find_param("_meta");
    if (!meta.text().starts_with('{'))
        return taken;
    const json_view id = reader.find_member(meta, meta_names::subscription_id);
    if (!id.empty() && !is_open_(whole_number(id.text())))
        taken.action = ruling_action::drop;
    return taken;
}

} // namespace partyline::mcp
