#include "lsp/session_rules.hpp"

#include <partyline/lsp/error_codes.hpp>
#include <partyline/lsp/profile.hpp>

#include <boost/json/object.hpp>

#include <limits>
#include <string>

namespace json = boost::json;

namespace partyline::lsp {
namespace {

ruling refuse(int code, const char* message, const char* reason)
{
    ruling no{ruling::kind::refuse};
    no.error = {code, message, json::value(json::object{{"reason", reason}})};
    return no;
}

ruling not_initialized(const char* reason)
{
    return refuse(error_codes::server_not_initialized, "Server not initialized", reason);
}

ruling invalid(const char* reason)
{
    return refuse(partyline::error_codes::invalid_request, "Invalid Request", reason);
}

// A member of the params; null where there is none.
json::value member(json_view params, std::string_view name, message_reader& reader)
{
    if (!params.text().starts_with('{'))
        return nullptr;
    const json_view found = reader.find_member(params, name);
    return found.empty() ? json::value() : found.to_value();
}

std::optional<int> process_of(const json::value& id)
{
    const std::int64_t* const number = id.if_int64();
    if (!number || *number <= 0 || *number > std::numeric_limits<int>::max())
        return std::nullopt;
    return static_cast<int>(*number);
}

// A token as it is written, so that the number 1 and the text "1" are two.
std::string token_of(json_view params, message_reader& reader)
{
    std::string_view text;
    std::string_view key;
    return params.text().starts_with('{') && reader.find_id(params, "token", text, key) ? std::string(text) : std::string();
}

} // namespace

std::shared_ptr<lifecycle> make_lifecycle()
{
    return std::make_shared<session_rules>();
}

ruling session_rules::on_request(const message& m, message_reader& reader)
{
    switch (stage_) {
    case stage::created:
        return m.method == "initialize" ? initialize(m.params, reader) : not_initialized("expected initialize first");
    case stage::initializing: return not_initialized("initialize has not been answered yet");
    case stage::shut_down: return invalid("expected exit, and nothing else, after shutdown");
    case stage::running: break;
    }
    if (m.method == "initialize")
        return invalid("initialize came a second time");
    if (m.method != "shutdown")
        return {};
    stage_ = stage::shut_down;
    return {ruling::kind::accept};
}

ruling session_rules::initialize(json_view params, message_reader& reader)
{
    stage_ = stage::initializing;
    client_->capabilities_ = member(params, "capabilities", reader);
    const json::value trace = member(params, "trace", reader);
    client_->set_trace(trace.is_string() ? std::string_view(trace.get_string()) : "off");
    client_->process_id_ = process_of(member(params, "processId", reader));
    ruling yes;
    yes.process = client_->process_id_;
    return yes;
}

ruling session_rules::on_notification(const message& m, message_reader& reader)
{
    if (m.method == "exit") {
        ruling over{ruling::kind::end};
        if (stage_ != stage::shut_down)
            over.result = errc::exit_without_shutdown;
        return over;
    }
    const bool is_cancel = m.method == profile.cancel_method;
    if (stage_ != stage::running)
        return {is_cancel ? ruling::kind::serve : ruling::kind::drop};
    if (m.method == "$/setTrace") {
        const json::value level = member(m.params, "value", reader);
        if (level.is_string())
            client_->set_trace(level.get_string());
    } else if (m.method == "window/workDoneProgress/cancel") {
        client_->cancel_work(token_of(m.params, reader));
    }
    return {};
}

void session_rules::on_answered(std::string_view method, bool is_error)
{
    if (stage_ == stage::initializing && method == "initialize")
        stage_ = is_error ? stage::created : stage::running;
}

} // namespace partyline::lsp
