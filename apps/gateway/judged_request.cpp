#include "gateway/judged_request.hpp"

#include "gateway/member_text.hpp"
#include "gateway/message_parts.hpp"
#include "gateway/named_requests.hpp"
#include "mcp/wire/resource_key.hpp"

#include <partyline/mcp/error_codes.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/json/object.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace json = boost::json;
using partyline::access_answer;
using partyline::access_verdict;
using partyline::access_view;
using partyline::error_object;
using partyline::json_text;
using partyline::json_view;
using partyline::rpc_error;

namespace gateway {
namespace {

constexpr std::string_view complete_method = "completion/complete";
constexpr std::string_view subscribe_method = "resources/subscribe";
constexpr std::string_view unsubscribe_method = "resources/unsubscribe";

std::string_view naming_member(std::string_view method) noexcept
{
    return method == read_resource_method ? "uri" : "name";
}

bool is_control(char c) noexcept
{
    return static_cast<unsigned char>(c) < ' ' || c == 0x7F;
}

bool has_dot_segment(std::string_view uri)
{
    while (!uri.empty()) {
        const std::size_t end = std::min(uri.find_first_of("/\\?#"), uri.size());
        const std::string_view segment = uri.substr(0, end);
        if (segment == "." || segment == "..")
            return true;
        uri.remove_prefix(std::min(end + 1, uri.size()));
    }
    return false;
}

// Readers of URLs resolve and remove such, so that another resource is read than the one that was judged.
bool has_one_reading(std::string_view uri, std::string_view decoded)
{
    const bool is_decoded = uri.find('%') == uri.npos || uri != decoded;
    return is_decoded && !decoded.empty() && decoded.front() != ' ' && decoded.back() != ' ' &&
           std::none_of(decoded.begin(), decoded.end(), is_control) && !has_dot_segment(decoded);
}

// RFC 3986 §3.1
bool has_scheme(std::string_view text)
{
    const std::string_view scheme = text.substr(0, text.find(':'));
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto is_other = [](char c) { return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'; };
    return scheme.size() != text.size() && !scheme.empty() && is_letter(scheme.front()) &&
           std::all_of(scheme.begin(), scheme.end(), [&](char c) { return is_letter(c) || is_other(c); });
}

error_object resource_not_found(const std::string& uri, json_view params)
{
    constexpr int legacy = partyline::mcp::error_codes::resource_not_found;
    const bool is_modern = !member_text(params.text(), {"_meta", "io.modelcontextprotocol/protocolVersion"}).empty();
    return {is_modern ? partyline::error_codes::invalid_params : legacy, "Resource not found",
            json::object{{"uri", uri}}};
}

// Where there is something, it is an object: what stands at places could be taken for anything.
json_view required_object(json_view value, std::string_view name)
{
    if (!value.empty() && !value.text().starts_with('{'))
        throw rpc_error(invalid_params(name, "object"));
    return value;
}

void require(const access_verdict& verdict, const error_object& unknown)
{
    if (verdict.is == access_answer::hidden)
        throw rpc_error(unknown);
    if (verdict.is == access_answer::lacks_scope)
        throw rpc_error(partyline::insufficient_scope(verdict.required));
}

// What names nothing is the server's to answer, here and below.
void require_resource(const access_view& by, json_view params)
{
    const json_view given = only_member(params, "uri");
    if (given.empty())
        return;
    const std::string uri = string_in(given, "uri");
    require(judge_target(by, read_resource_method, uri), resource_not_found(uri, params));
}

// Whichever of the two the server looks at. `type` may say one thing and be taken for another.
void require_reference(const access_view& by, json_view params)
{
    const json_view ref = required_object(only_member(params, "ref"), "ref");
    const json_view name = only_member(ref, "name");
    const json_view uri = only_member(ref, "uri");
    if (!name.empty())
        require(judge_target(by, get_prompt_method, string_in(name, "ref.name")),
                invalid_params("ref.name", "a prompt"));
    if (!uri.empty())
        require(judge_target(by, read_resource_method, string_in(uri, "ref.uri")),
                invalid_params("ref.uri", "a resource or a template"));
}

bool names_target(std::string_view method) noexcept
{
    return std::find(std::begin(target_methods), std::end(target_methods), method) != std::end(target_methods);
}

void require_clear_target(std::string_view method, json_view params)
{
    const std::string_view member = naming_member(method);
    const std::string name = string_in(only_member(params, member), member);
    if (!judged_key(method, name))
        throw rpc_error(resource_not_found(name, params));
}

// A server would say which of the hidden ones it has.
json_text without_hidden(const access_view& by, json_text params)
{
    const char* const where = "notifications.resourceSubscriptions";
    const json_view given = required_object(json_view::checked(params.text()), "params");
    const json_view wishes = required_object(only_member(given, "notifications"), "notifications");
    const std::string_view uris = only_member(wishes, "resourceSubscriptions").text();
    if (uris.empty())
        return params;
    if (!uris.starts_with('['))
        throw rpc_error(invalid_params(where, "array of strings"));
    std::string kept;
    bool are_all_kept = true;
    for_each_element(uris, [&](std::string_view one) {
        const access_verdict verdict =
            judge_target(by, read_resource_method, string_in(json_view::checked(one), where));
        if (verdict.is == access_answer::lacks_scope)
            throw rpc_error(partyline::insufficient_scope(verdict.required));
        if (verdict.is == access_answer::hidden)
            are_all_kept = false;
        else
            kept.append(kept.empty() ? "" : ",").append(one);
    });
    return are_all_kept ? std::move(params) : with_replaced(params, uris, '[' + kept + ']');
}

} // namespace

std::string target_key(std::string_view method, partyline::message_reader& reader)
{
    const std::string name = string_of(reader.find_param(naming_member(method))).value_or(std::string());
    return method == read_resource_method ? partyline::mcp::resource_key(name) : name;
}

error_object unknown_target(std::string_view method, json_view params)
{
    constexpr std::size_t longest = 200; // of what is shown of it
    const std::string_view member = naming_member(method);
    const auto name = string_of(json_view::checked(member_text(params.text(), {member})));
    if (!name)
        return invalid_params(member, "string");
    if (method == read_resource_method)
        return resource_not_found(*name, params);
    return {partyline::error_codes::invalid_params,
            std::string("Unknown ") + (method == call_tool_method ? "tool: " : "prompt: ") +
                partyline::printable(*name, longest),
            {}};
}

std::string_view judging_method(std::string_view method, std::string_view name)
{
    if (name.empty())
        return method;
    if (method == complete_method)
        return has_scheme(name) ? read_resource_method : get_prompt_method;
    const bool is_for_resource = method == subscribe_method || method == unsubscribe_method || method == listen_method;
    return is_for_resource ? read_resource_method : method;
}

std::optional<std::string> judged_key(std::string_view method, std::string_view name)
{
    if (method != read_resource_method)
        return std::string(name);
    std::string key = partyline::mcp::resource_key(name);
    if (!has_one_reading(name, key))
        return std::nullopt;
    return key;
}

access_verdict judge_target(const access_view& by, std::string_view method, std::string_view name)
{
    const std::optional<std::string> key = judged_key(method, name);
    return key ? by.judge(method, *key) : access_verdict{access_answer::hidden, {}};
}

json_text judged_params(const access_view& by, std::string_view method, json_text params)
{
    const json_view given = json_view::checked(params.text());
    if (names_target(method))
        require_clear_target(method, given);
    else if (method == complete_method)
        require_reference(by, required_object(given, "params"));
    else if (method == subscribe_method || method == unsubscribe_method)
        require_resource(by, required_object(given, "params"));
    else if (method == listen_method)
        return without_hidden(by, std::move(params));
    return params;
}

bool may_hear(const partyline::access_view* by, std::string_view method, const partyline::json_text& params)
{
    if (!by || method != updated_method)
        return true;
    const std::string uri = member_string(params, {"uri"}).value_or(std::string());
    const partyline::access_answer may = judge_target(*by, read_resource_method, uri).is;
    return may == partyline::access_answer::allowed || may == partyline::access_answer::needs_proof;
}

} // namespace gateway
