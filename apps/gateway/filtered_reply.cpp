#include "gateway/filtered_reply.hpp"

#include "gateway/judged_request.hpp"
#include "gateway/member_text.hpp"
#include "gateway/message_parts.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

using partyline::access_answer;
using partyline::access_view;
using partyline::json_text;
using partyline::json_view;

namespace gateway {
namespace {

// A result with entries that a view is asked for, each by one of its members.
struct filtered_result {
    std::string_view method;
    std::string_view list;       // the member of the result; empty: there is none
    std::string_view key;        // the member of an entry
    std::string_view use_method; // of an entry; empty: the entry is a method itself
};

constexpr filtered_result all_results[] = {
    {"tools/list", "tools", "name", call_tool_method},
    {"prompts/list", "prompts", "name", get_prompt_method},
    {"resources/list", "resources", "uri", read_resource_method},
    {"resources/templates/list", "resourceTemplates", "uriTemplate", read_resource_method},
    {read_resource_method, {}, {}, {}},
    {"rpc.discover", "methods", "name", {}},
};

bool is_shown(const access_view& by, const filtered_result& of, json_view key)
{
    const std::optional<std::string> name = string_of(key);
    if (!name)
        return false;
    const partyline::access_verdict verdict =
        of.use_method.empty() ? by.judge(*name, {}) : judge_target(by, of.use_method, *name);
    return verdict.is != access_answer::hidden;
}

// Which of several members of one name clients look at is not known.
bool is_entry_shown(const access_view& by, const filtered_result& of, std::string_view entry)
{
    bool is_named = false;
    bool are_shown = true;
    for_each_member(entry, [&](const partyline::member_text& one) {
        if (one.name != of.key)
            return;
        is_named = true;
        are_shown = are_shown && is_shown(by, of, json_view::checked(one.value));
    });
    return is_named && are_shown;
}

// Empty where nothing goes. What is no array names things in a way that nobody can judge.
std::string filtered_list(const access_view& by, const filtered_result& of, std::string_view list)
{
    if (!list.starts_with('['))
        return list == "null" ? std::string() : "[]";
    std::string kept;
    bool are_all_kept = true;
    for_each_element(list, [&](std::string_view entry) {
        if (is_entry_shown(by, of, entry))
            kept.append(kept.empty() ? "" : ",").append(entry);
        else
            are_all_kept = false;
    });
    return are_all_kept ? std::string() : '[' + kept + ']';
}

struct replacement {
    std::string_view what; // in the text
    std::string by;
};

json_text with_all_replaced(const json_text& of, const std::vector<replacement>& in_order)
{
    const char* from = of.text().data();
    std::string text;
    for (const auto& [what, by] : in_order) {
        text.append(from, what.data()).append(by);
        from = what.data() + what.size();
    }
    text.append(from, of.text().data() + of.text().size());
    return json_text(std::move(text));
}

} // namespace

json_text filtered_reply(const access_view& by, std::string_view method, json_text result)
{
    const filtered_result* found = nullptr;
    for (const filtered_result& one : all_results)
        found = one.method == method ? &one : found;
    if (!found)
        return result;
    if (!found->list.empty() && !result.text().starts_with('{') && result.text() != "null")
        return json_text("{\"" + std::string(found->list) + "\":[]}");
    std::vector<replacement> all;
    for_each_member(result.text(), [&](const partyline::member_text& one) {
        if (one.name == "cacheScope" && one.value != R"("private")")
            all.push_back({one.value, R"("private")"});
        if (found->list.empty() || one.name != found->list)
            return;
        if (std::string filtered = filtered_list(by, *found, one.value); !filtered.empty())
            all.push_back({one.value, std::move(filtered)});
    });
    return all.empty() ? std::move(result) : with_all_replaced(result, all);
}

} // namespace gateway
