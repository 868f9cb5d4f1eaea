#include "mcp/server/sessions/topic_core.hpp"

#include "mcp/wire/methods.hpp"
#include "mcp/wire/request_members.hpp"
#include "mcp/wire/written_object.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/session/request_context.hpp>

#include <exception>
#include <stdexcept>

namespace partyline::mcp {
namespace {

std::string checked_member(std::string member)
{
    if (member.empty() || is_protocol_topic(member))
        throw std::invalid_argument('"' + printable(member) +
                                    "\" is no member of an extension's topic: these are like \"jobIds\"");
    return member;
}

std::string checked_notification(std::string name)
{
    if (!name.starts_with("notifications/") || is_of_protocol(name))
        throw std::invalid_argument(
            '"' + printable(name) +
            "\" is no notification of an extension: these are like \"notifications/jobs/done\"");
    return name;
}

void end_with_comma(std::string& members)
{
    if (!members.empty())
        members += ',';
}

told_params_ptr read_params(const std::string& notification, const call_params& params)
{
    byte_buffer text;
    if (const auto problem = params.write_to(text, limits().depth))
        throw std::invalid_argument("the params of \"" + notification + "\" are no JSON: " + problem->reason +
                                    " at \"" + problem->where + '"');
    if (text.empty())
        return nullptr;
    const std::string_view object = text.view().substr(text.view().find_first_of("{["));
    if (!object.starts_with('{'))
        throw std::invalid_argument("the params of \"" + notification + "\" are no object");
    const json_view meta = read_members(json_view::checked(object)).meta;
    told_params made{members_without("_meta", object), members_without(meta_names::subscription_id, meta.text())};
    end_with_comma(made.members);
    end_with_comma(made.meta);
    return std::make_shared<const told_params>(std::move(made));
}

} // namespace

topic_core::topic_core(std::string member, std::string notification, listen_topic_options how)
    : member_(checked_member(std::move(member))), notification_(checked_notification(std::move(notification))),
      how_(std::move(how)), names_{member_, notification_, how_.kind}
{
}

bool topic_core::may_listen(const request_context& rpc, const std::string& key) const
{
    return !how_.may_listen || how_.may_listen(rpc, key);
}

void topic_core::join(std::string_view key, const topic_listener& who, std::shared_ptr<change_listener> session)
{
    const std::lock_guard lock(mutex_);
    listening_.try_emplace({key, &who}, std::move(session));
}

void topic_core::leave(std::string_view key, const topic_listener& who) noexcept
{
    const std::lock_guard lock(mutex_);
    listening_.erase({key, &who});
}

// A session with several listeners may be among them several times, where the map has others in between.
std::vector<std::shared_ptr<change_listener>> topic_core::sessions_of(std::string_view key)
{
    std::vector<std::shared_ptr<change_listener>> all;
    const std::lock_guard lock(mutex_);
    for (auto at = listening_.lower_bound({key, nullptr}); at != listening_.end() && at->first.first == key; ++at)
        if (all.empty() || all.back() != at->second)
            all.push_back(at->second);
    return all;
}

bool topic_core::has_listener(std::string_view key)
{
    const std::lock_guard lock(mutex_);
    const auto first = listening_.lower_bound({key, nullptr});
    return first != listening_.end() && first->first.first == key;
}

// A session that fails to keep it for lack of memory does not prevent the others from getting it.
void topic_core::publish(std::string_view key, const call_params& params)
{
    if (names_.kind == topic_kind::flag && !key.empty())
        throw std::invalid_argument("\"" + member_ + "\" is a flag, and has no key \"" + printable(key) + '"');
    const publication what{{shared_from_this(), &names_}, std::string(key), read_params(notification_, params)};
    std::exception_ptr failed;
    for (const std::shared_ptr<change_listener>& one : sessions_of(key))
        try {
            one->on_published(what);
        } catch (...) {
            failed = std::current_exception();
        }
    if (failed)
        std::rethrow_exception(failed);
}

listen_topic::listen_topic(std::string member, std::string notification, listen_topic_options how)
    : core_(std::make_shared<topic_core>(std::move(member), std::move(notification), std::move(how)))
{
}

bool listen_topic::has_listener(std::string_view key) const
{
    return core_->has_listener(key);
}

void listen_topic::publish(std::string_view key, const call_params& params) const
{
    core_->publish(key, params);
}

} // namespace partyline::mcp
