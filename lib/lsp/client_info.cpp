#include <partyline/lsp/client_info.hpp>

#include "lsp/lifecycle_rules.hpp"

#include <partyline/protocol/exception_text.hpp>

#include <boost/asio/detached.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::lsp {

std::shared_ptr<client_info> client_info::of(const caller& session)
{
    const auto rules = std::dynamic_pointer_cast<lifecycle_rules>(session.session_lifecycle());
    if (!rules)
        throw std::logic_error("this session's profile is not partyline::lsp::profile");
    return rules->known();
}

bool client_info::has_capability(std::string_view path) const
{
    const json::value* at = &capabilities_;
    for (std::size_t dot = 0; at && dot != path.npos;) {
        dot = path.find('.');
        const json::object* const members = at->if_object();
        at = members ? members->if_contains(path.substr(0, dot)) : nullptr;
        path.remove_prefix(dot == path.npos ? path.size() : dot + 1);
    }
    return at && at->is_bool() && at->get_bool();
}

void client_info::introduce(json::value capabilities, std::string_view trace, std::optional<int> process)
{
    capabilities_ = std::move(capabilities);
    trace_ = trace_level::off;
    set_trace(trace);
    process_id_ = process;
}

void client_info::set_trace(std::string_view level)
{
    if (level == "off")
        trace_ = trace_level::off;
    else if (level == "messages")
        trace_ = trace_level::messages;
    else if (level == "verbose")
        trace_ = trace_level::verbose;
}

std::string client_info::next_token()
{
    const std::lock_guard lock(mutex_);
    return "partyline-" + std::to_string(++last_token_);
}

void client_info::watch(const std::string& token, std::function<void()> cancelled)
{
    const std::lock_guard lock(mutex_);
    watched_[json::serialize(json::value(token))] = std::move(cancelled);
}

void client_info::unwatch(const std::string& token)
{
    const std::lock_guard lock(mutex_);
    watched_.erase(json::serialize(json::value(token)));
}

std::string client_info::cancel_work(const std::string& token)
{
    std::function<void()> cancelled;
    {
        const std::lock_guard lock(mutex_);
        const auto found = watched_.find(token);
        if (found == watched_.end())
            return {};
        cancelled = std::move(found->second);
        watched_.erase(found);
    }
    try {
        cancelled();
    } catch (const std::exception& e) {
        return std::string("on_cancel of created progress threw: ") + exception_text(e);
    } catch (...) {
        return "on_cancel of created progress threw";
    }
    return {};
}

void log_trace(caller& session, const std::string& message, const std::string& verbose)
{
    const trace_level level = client_info::of(session)->trace();
    if (level == trace_level::off)
        return;
    json::object params{{"message", message}};
    if (level == trace_level::verbose && !verbose.empty())
        params["verbose"] = verbose;
    session.notify("$/logTrace", std::move(params))(asio::detached);
}

} // namespace partyline::lsp
