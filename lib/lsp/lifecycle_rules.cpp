#include "lsp/lifecycle_rules.hpp"

#include "rpc/problem_list.hpp"
#include "rpc/value_source.hpp"

#include <partyline/lsp/error_codes.hpp>
#include <partyline/lsp/profile.hpp>
#include <partyline/rpc/detail/read_wrapped.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <limits>
#include <string>
#include <utility>

namespace json = boost::json;
using partyline::detail::argument_reader;
using partyline::detail::parameter_place;
using partyline::detail::problem_list;
using partyline::detail::reading;
using partyline::detail::value_source;

namespace partyline::lsp {
namespace {

ruling refuse(int code, const char* message, const char* reason)
{
    ruling no;
    no.action = ruling_action::refuse;
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

/// Reads members of params by name. The first problem ends it all.
class member_source {
public:
    member_source(json_view params, message_reader& reader) noexcept : params_(params), reader_(reader) {}

    bool has_failed() const noexcept { return !problems_.empty(); }
    error_object problem() { return problems_.take(); }

    // Words of later versions are the caller's to ignore; what is no word is refused.
    std::string word(std::string_view name) { return read<std::string>(name).value_or(""); }

    // Numbers that no process has are those of clients that have none, and are ignored.
    std::optional<int> process()
    {
        const std::int64_t number = read<std::int64_t>("processId").value_or(0);
        if (number <= 0 || number > std::numeric_limits<int>::max())
            return std::nullopt;
        return static_cast<int>(number);
    }

    // An empty array is how Lua and PHP write an object that has no members.
    json::value capabilities()
    {
        constexpr std::string_view name = "capabilities";
        json::value found = value(name);
        if (found.is_array() && found.get_array().empty())
            return nullptr;
        value_source from(&found, how_, place_of(name));
        if (!found.is_null() && !found.is_object())
            from.refuse_kind(&argument_reader<json::object>::expected);
        return found;
    }

private:
    template <class T>
    std::optional<T> read(std::string_view name)
    {
        const json::value found = value(name);
        value_source from(&found, how_, place_of(name));
        std::optional<T> given;
        argument_reader<std::optional<T>>::read(from, given);
        return given;
    }

    // Null where there is none.
    json::value value(std::string_view name)
    {
        if (!params_.text().starts_with('{'))
            return nullptr;
        auto built = reader_.find_member(params_, name).try_to_value();
        if (built)
            return std::move(*built);
        problems_.add(place_of(name), built.error());
        return nullptr;
    }

    static parameter_place place_of(std::string_view name)
    {
        parameter_place place;
        place.enter(name);
        return place;
    }

    json_view params_;
    message_reader& reader_;
    problem_list problems_{1};
    reading how_{unknown_members::refused, &problems_};
};

// The key of a token, in which the number 1 and the text "1" are two; empty when there is none.
std::string token_of(json_view params, message_reader& reader)
{
    std::string_view text;
    std::string_view key;
    return reader.find_id(params, "token", text, key) ? std::string(key) : std::string();
}

ruling drop(std::string_view method, const error_object& problem)
{
    ruling no;
    no.action = ruling_action::drop;
    no.log_line = "dropped the notification \"" + std::string(method) + "\": " + problem.message;
    if (problem.data)
        no.log_line += ' ' + json::serialize(*problem.data);
    return no;
}

} // namespace

std::shared_ptr<lifecycle> base_protocol::make_lifecycle() const
{
    return std::make_shared<lifecycle_rules>();
}

ruling lifecycle_rules::on_request(const message& m, message_reader& reader)
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
    return {ruling_action::answer_unless_served};
}

// One that is refused changes nothing, and may be tried again.
ruling lifecycle_rules::initialize(json_view params, message_reader& reader)
{
    member_source members(params, reader);
    json::value capabilities = members.capabilities();
    const std::string trace = members.word("trace");
    const std::optional<int> process = members.process();
    if (members.has_failed())
        return {ruling_action::refuse, {}, members.problem()};
    client_->introduce(std::move(capabilities), trace, process);
    stage_ = stage::initializing;
    ruling yes;
    yes.watch_process = client_->process_id_;
    return yes;
}

ruling lifecycle_rules::set_trace(json_view params, message_reader& reader)
{
    member_source members(params, reader);
    const std::string value = members.word("value");
    if (members.has_failed())
        return drop("$/setTrace", members.problem());
    client_->set_trace(value);
    return {ruling_action::answer_unless_served};
}

ruling lifecycle_rules::on_notification(const message& m, message_reader& reader)
{
    if (m.method == "exit") {
        ruling over;
        over.action = ruling_action::end;
        if (stage_ != stage::shut_down)
            over.end_result = errc::exit_without_shutdown;
        return over;
    }
    const bool is_cancel = m.method == profile.cancel_method;
    if (stage_ != stage::running)
        return {is_cancel ? ruling_action::serve : ruling_action::drop};
    if (m.method == "$/setTrace")
        return set_trace(m.params, reader);
    if (m.method == "initialized")
        return {ruling_action::answer_unless_served};
    if (m.method != "window/workDoneProgress/cancel")
        return {};
    ruling yes;
    yes.action = ruling_action::answer_unless_served;
    yes.log_line = client_->cancel_work(token_of(m.params, reader));
    return yes;
}

void lifecycle_rules::on_answered(const answer_given& answer)
{
    if (stage_ == stage::initializing && answer.method == "initialize")
        stage_ = answer.outcome == answer_outcome::result ? stage::running : stage::created;
}

} // namespace partyline::lsp
