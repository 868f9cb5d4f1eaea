#include "mcp_extensions/tasks/client_task_report.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <boost/system/system_error.hpp>

#include <array>
#include <limits>
#include <span>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

using boost::system::system_error;

constexpr std::string_view call_tool_method = "tools/call";
constexpr std::string_view get_task_method = "tasks/get";

struct named_state {
    std::string_view name;
    client_task_state state;
    std::string_view payload; // the member that a task in this state has
};
constexpr std::array<named_state, 5> named_states = {{
    {"working", client_task_state::working, {}},
    {"input_required", client_task_state::input_required, "inputRequests"},
    {"completed", client_task_state::completed, "result"},
    {"failed", client_task_state::failed, "error"},
    {"cancelled", client_task_state::cancelled, {}},
}};

std::string_view kind_of_value(const json::value* what) noexcept
{
    if (!what)
        return "nothing";
    switch (what->kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "a boolean";
    case json::kind::string: return "a string";
    case json::kind::array: return "an array";
    case json::kind::object: return "an object";
    default: return "a number";
    }
}

// The members of an object that has come, by name; what is null counts as left out where it may be.
class report_members {
public:
    report_members(std::string_view method, json::object& of, std::string_view within = {})
        : method_(method), of_(of), within_(within)
    {
    }

    const json::string& text(std::string_view name) const
    {
        const json::value* const found = of_.if_contains(name);
        if (!found || !found->is_string())
            refuse(name, "a string", kind_of_value(found));
        return found->get_string();
    }
    std::string text_if_any(std::string_view name) const
    {
        return is_left_out(name) ? std::string() : std::string(text(name));
    }
    std::optional<double> number_if_any(std::string_view name) const
    {
        if (is_left_out(name))
            return std::nullopt;
        const json::value& found = of_.at(name);
        if (!found.is_number())
            refuse(name, "a number", kind_of_value(&found));
        return found.to_number<double>();
    }
    json::object& object(std::string_view name) const
    {
        json::value* const found = of_.if_contains(name);
        if (!found || !found->is_object())
            refuse(name, "an object", kind_of_value(found));
        return found->get_object();
    }
    bool is_left_out(std::string_view name) const
    {
        const json::value* const found = of_.if_contains(name);
        return !found || found->is_null();
    }
    [[noreturn]] void refuse(std::string_view name, std::string_view expected, std::string_view got) const
    {
        refuse_report(method_, std::string(within_).append(name), expected, got);
    }

private:
    std::string_view method_;
    json::object& of_;
    std::string_view within_;
};

json::value value_of(std::string_view method, json_view text)
{
    try {
        return text.to_value();
    } catch (const rpc_error& refused) { // numbers that are too large, names that collide
        throw system_error(client_errc::bad_result, std::string(method) + ": " + refused.what());
    }
}

json_view view_of(const json_text& came)
{
    return json_view::checked(came.text());
}

// What each report has, whatever the state.
constexpr std::array<std::string_view, 4> common_members = {"taskId", "status", "statusMessage", "pollIntervalMs"};

// These members of an object. The rest stays text: a result may have what no value can hold.
json::object read_members(message_reader& reader, std::string_view method, json_view whole,
                          std::span<const std::string_view> names)
{
    if (!whole.text().starts_with('{')) {
        const json::value other = value_of(method, whole);
        refuse_report(method, {}, "an object", kind_of_value(&other));
    }
    json::object read;
    for (const std::string_view name : names)
        if (const json_view found = reader.find_member(whole, name); !found.empty())
            read[name] = value_of(method, found);
    return read;
}

json_text read_payload(message_reader& reader, json_view whole, std::string_view name)
{
    const json_view found = reader.find_member(whole, name);
    if (found.text().starts_with('{'))
        return json_text(found);
    const json::value other = value_of(get_task_method, found);
    refuse_report(get_task_method, name, "an object", kind_of_value(found.empty() ? nullptr : &other));
}

json::object object_of(const json_text& payload)
{
    return std::move(value_of(get_task_method, view_of(payload)).as_object());
}

const named_state& read_state(const report_members& from)
{
    const std::string_view name = from.text("status");
    for (const named_state& one : named_states)
        if (one.name == name)
            return one;
    constexpr std::size_t longest_shown = 100;
    from.refuse("status", "the state of a task", '"' + printable(name, longest_shown) + '"');
}

std::string read_id(const report_members& from)
{
    std::string id(from.text("taskId"));
    if (id.empty())
        from.refuse("taskId", "a task's id", "\"\"");
    return id;
}

task_report read_report(const report_members& from, const named_state& state)
{
    task_report read;
    read.id = read_id(from);
    read.state = state.state;
    read.message = from.text_if_any("statusMessage");
    read.poll_interval_ms = from.number_if_any("pollIntervalMs");
    return read;
}

[[noreturn]] void throw_task_error(json::object error)
{
    const report_members from(get_task_method, error, "error.");
    error_object answered;
    const json::value* const code = error.if_contains("code");
    const auto* const number = code ? code->if_int64() : nullptr;
    if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max())
        from.refuse("code", "the code of an error", code && code->is_number() ? "another number" : kind_of_value(code));
    answered.code = static_cast<int>(*number);
    answered.message = from.text("message");
    if (json::value* const data = error.if_contains("data"))
        answered.data = std::move(*data);
    throw rpc_error(std::move(answered));
}

} // namespace

void refuse_report(std::string_view method, std::string_view place, std::string_view expected, std::string_view got)
{
    std::string text(method);
    text.append(place.empty() ? ": at the result" : ": at the result.").append(place);
    text.append(": expected ").append(expected).append(", got ").append(got);
    throw system_error(client_errc::bad_result, text);
}

bool is_over(client_task_state state) noexcept
{
    return state != client_task_state::working && state != client_task_state::input_required;
}

std::string read_created_id(const json_text& result)
{
    message_reader reader{limits()};
    constexpr std::array<std::string_view, 1> name = {"taskId"};
    json::object id_alone = read_members(reader, call_tool_method, view_of(result), name);
    return read_id(report_members(call_tool_method, id_alone));
}

task_report read_created_task(const json_text& result)
{
    message_reader reader{limits()};
    json::object common = read_members(reader, call_tool_method, view_of(result), common_members);
    const report_members from(call_tool_method, common);
    return read_report(from, read_state(from));
}

task_report read_task(const json_text& result, std::string_view id)
{
    message_reader reader{limits()};
    json::object common = read_members(reader, get_task_method, view_of(result), common_members);
    const report_members from(get_task_method, common);
    const named_state& state = read_state(from);
    task_report read = read_report(from, state);
    if (read.id != id)
        from.refuse("taskId", "the task that was asked for", "another one");
    if (!state.payload.empty())
        read.payload = read_payload(reader, view_of(result), state.payload);
    return read;
}

json::object read_questions(const task_report& of)
{
    return of.state == client_task_state::input_required ? object_of(of.payload) : json::object();
}

json_text take_result(task_report& of)
{
    if (of.state == client_task_state::failed)
        throw_task_error(object_of(of.payload));
    if (of.state == client_task_state::cancelled) {
        constexpr std::size_t longest_shown = 1000;
        const std::string reason = printable(of.message, longest_shown);
        throw reason.empty() ? system_error(client_task_errc::cancelled)
                             : system_error(client_task_errc::cancelled, reason);
    }
    return std::move(of.payload);
}

tool_answer make_tool_answer(const json_text& text)
{
    json::object result = object_of(text);
    const report_members from(get_task_method, result, "result.");
    tool_answer answer;
    message_reader reader{limits()};
    const json_view structured = reader.find_member(view_of(text), "structuredContent");
    if (!structured.empty())
        answer.structured = json_text(structured);
    json::value* const content = result.if_contains("content");
    if (content ? !content->is_array() : structured.empty())
        from.refuse("content", "an array", kind_of_value(content));
    if (content)
        for (json::value& block : content->get_array()) {
            const json::object* const members = block.if_object();
            const json::value* const type = members ? members->if_contains("type") : nullptr;
            if (!type || !type->is_string())
                from.refuse("content", "blocks with a type", members ? "one without" : kind_of_value(&block));
            answer.content.push_back(std::move(block.get_object()));
        }
    if (!from.is_left_out("isError")) {
        const json::value& is_error = result.at("isError");
        if (!is_error.is_bool())
            from.refuse("isError", "a boolean", kind_of_value(&is_error));
        answer.is_error = is_error.get_bool();
    }
    if (!from.is_left_out("_meta"))
        answer.meta = std::move(from.object("_meta"));
    return answer;
}

} // namespace partyline::mcp
