#include "mcp/client/client_lifecycle.hpp"

#include "mcp/wire/methods.hpp"
#include "protocol/message/whole_number.hpp"

#include <partyline/protocol/message.hpp>

namespace partyline::mcp {

// The protocol's own come to their handlers, which have something to do in any case. Those of an extension may run
// elsewhere.
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
