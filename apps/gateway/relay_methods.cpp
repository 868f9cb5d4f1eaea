#include "gateway/relay_methods.hpp"

#include "gateway/judged_request.hpp"
#include "gateway/named_requests.hpp"

#include <memory>
#include <utility>

namespace gateway {
namespace {

class unknown_target_handler final : public partyline::handler {
public:
    unknown_target_handler() : handler(kind::plain) {}

    void call(partyline::request_context& context, partyline::json_view params, partyline::result_writer& out) override
    {
        out.refuse(unknown_target(context.method(), params));
    }
};

} // namespace

void add_listen(partyline::method_table& to, const forwarder& pass_on)
{
    partyline::method_options lasting;
    lasting.open_ended = true;
    to.add(std::string(listen_method), pass_on, lasting);
}

void add_handshake(partyline::method_table& to, const forwarder& pass_on)
{
    partyline::method_options alone;
    alone.exclusive = true;
    to.add("initialize", pass_on, alone);
    partyline::method_options in_order;
    in_order.ordered = true;
    to.add_notification("notifications/initialized", pass_on, in_order);
}

relay_methods::relay_methods(partyline::method_table table) : table_(std::move(table)), forwarding_(table_.find({}))
{
    for (const std::string_view name : target_methods) {
        partyline::method group;
        group.name = name;
        group.target = std::make_unique<unknown_target_handler>();
        group.is_group = true;
        groups_.push_back(std::move(group));
    }
}

const partyline::method* relay_methods::find(std::string_view name) const noexcept
{
    for (const partyline::method& group : groups_) {
        if (group.name == name)
            return &group;
    }
    return table_.find(name);
}

// Whatever is named may be one of the server's.
const partyline::method& relay_methods::select(const partyline::method&, const partyline::message&,
                                               partyline::message_reader&) const noexcept
{
    return *forwarding_;
}

std::string relay_methods::key(const partyline::method& group, const partyline::message&,
                               partyline::message_reader& reader) const
{
    return target_key(group.name, reader);
}

} // namespace gateway
