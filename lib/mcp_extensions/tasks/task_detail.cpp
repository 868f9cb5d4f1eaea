#include "mcp_extensions/tasks/task_detail.hpp"

#include "mcp_extensions/tasks/task_texts.hpp"

#include <boost/json/serialize.hpp>

#include <optional>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

void append_questions(std::string& text, const std::vector<task_detail::question>& all)
{
    char before = '{';
    for (const task_detail::question& one : all) {
        text.append(1, before).append(quoted_text(one.key)).append(1, ':').append(*one.request);
        before = ',';
    }
    text.append(all.empty() ? "{}" : "}");
}

} // namespace

std::string_view to_string(task_status status) noexcept
{
    switch (status) {
    case task_status::working: return "working";
    case task_status::input_required: return "input_required";
    case task_status::completed: return "completed";
    case task_status::failed: return "failed";
    default: return "cancelled";
    }
}

// The result of the tool's call is told to the byte.
std::string task_detail::text() const
{
    std::string text = json::serialize(members);
    text.pop_back();
    switch (status) {
    case task_status::input_required: append_questions(text.append(R"(,"inputRequests":)"), questions); break;
    case task_status::completed: text.append(R"(,"result":)").append(*outcome); break;
    case task_status::failed: text.append(R"(,"error":)").append(outcome ? *outcome : error_text(std::nullopt)); break;
    default: break;
    }
    return text += '}';
}

} // namespace partyline::mcp
