#include "gateway/relay_methods.hpp"

#include "gateway/judged_request.hpp"

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
