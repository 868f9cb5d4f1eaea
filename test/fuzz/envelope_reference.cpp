#include "fuzz/envelope_reference.hpp"

#include <algorithm>

namespace partyline::test {
namespace {

using kind = json_tree::kind;

bool is_known(std::string_view name)
{
    static constexpr std::string_view known[] = {"jsonrpc", "id", "method", "params", "result", "error"};
    return std::find(std::begin(known), std::end(known), name) != std::end(known);
}

std::size_t size_of(const json_tree& id)
{
    return id.text.size() + (id.what == kind::string ? 2 : 0);
}

// Whether a member that stands alone is as it must be.
defect::kind problem_of(std::string_view name, const json_tree& value, const limits& bounds)
{
    bool is_right = true;
    if (name == "jsonrpc")
        is_right = value.what == kind::string && value.text == "2.0";
    else if (name == "method")
        is_right = value.what == kind::string;
    else if (name == "params")
        is_right = value.what == kind::array || value.what == kind::object || value.what == kind::null;
    else if (name == "id" && is_id(value) && size_of(value) > bounds.id_bytes)
        return defect::kind::id_too_long;
    else if (name == "id")
        is_right = is_id(value);
    return is_right ? defect::kind::none : defect::kind::invalid;
}

// The first problem, in the order of the text.
defect::kind first_problem(const json_tree& object, const limits& bounds)
{
    for (std::size_t i = 0; i < object.names.size(); ++i) {
        const std::string& name = object.names[i];
        const auto end = object.names.begin() + static_cast<std::ptrdiff_t>(i);
        const bool is_duplicate = is_known(name) && std::find(object.names.begin(), end, name) != end;
        const defect::kind problem =
            is_duplicate ? defect::kind::invalid : problem_of(name, object.children[i], bounds);
        if (problem != defect::kind::none)
            return problem;
    }
    return defect::kind::none;
}

bool is_complete(const json_tree& object, bool is_response)
{
    const bool has_outcome = object.find("result") || object.find("error");
    if (!object.find("jsonrpc"))
        return false;
    if (is_response)
        return object.find("id") && !(object.find("result") && object.find("error"));
    return object.find("method") && !has_outcome;
}

} // namespace

bool is_id(const json_tree& value)
{
    return value.what == kind::string || value.what == kind::number || value.what == kind::null;
}

bool judge(const json_tree& value, std::string_view text, const limits& bounds, envelope_reference& out)
{
    out = {};
    if (value.what != kind::object)
        return true;
    const json_tree* const id = value.find("id");
    const bool is_length_known = text.find('\\') == text.npos;
    if (id && !is_length_known && size_of(*id) * 6 > bounds.id_bytes) // \u0061 stands for one byte
        return false;

    out.looks_like_response = (value.find("result") || value.find("error")) && !value.find("method");
    if (value.count("id") == 1 && is_id(*id) && size_of(*id) <= bounds.id_bytes)
        out.id = id;
    out.problem = first_problem(value, bounds);
    if (out.problem == defect::kind::none && !is_complete(value, out.looks_like_response))
        out.problem = defect::kind::invalid;
    if (out.looks_like_response)
        out.what = partyline::message_type::reply;
    else if (out.problem == defect::kind::none)
        out.what = id ? partyline::message_type::request : partyline::message_type::notification;
    return true;
}

bool judge_unread(const json_tree& value, std::string_view text, const limits& bounds, envelope_reference& out)
{
    if (value.what != kind::array)
        return judge(value, text, bounds, out);
    out = {};
    bool has_method = false;
    for (const json_tree& element : value.children) {
        envelope_reference one;
        if (!judge(element, text, bounds, one))
            return false;
        has_method = has_method || element.find("method");
        if (!one.looks_like_response)
            continue;
        out.looks_like_response = true;
        out.id = out.id ? out.id : one.id;
    }
    out.looks_like_response = out.looks_like_response && !has_method;
    return true;
}

} // namespace partyline::test
