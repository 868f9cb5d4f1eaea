#include "http/access/authorization.hpp"

#include "http/wire/characters.hpp"

#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace partyline::http {
namespace {

constexpr std::size_t longest_scopes = 4096; // in a field; more are not told
constexpr int throttled_seconds = 10;

bool has_token(std::string_view query) noexcept
{
    constexpr std::string_view name = "access_token";
    while (true) {
        const std::size_t end = query.find('&');
        const std::string_view one = query.substr(0, end);
        if (one.substr(0, one.find('=')) == name)
            return true;
        if (end == query.npos)
            return false;
        query.remove_prefix(end + 1);
    }
}

// RFC 6749 §3.3.
bool is_scope(std::string_view text) noexcept
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\'; });
}

// Empty where one of them can't stand in a field: it may be another server's text.
std::string scope_list(std::span<const std::string> scopes)
{
    std::string list;
    for (const std::string& one : scopes) {
        if (!is_scope(one) || list.size() + one.size() >= longest_scopes)
            return {};
        list += list.empty() ? "" : " ";
        list += one;
    }
    return list;
}

/// Writes a field of parameters: RFC 6750 §3.
class challenge_writer {
public:
    void add(std::string_view name, std::string_view value)
    {
        text_ += is_first_ ? " " : ", ";
        text_.append(name).append("=\"").append(value).append("\"");
        is_first_ = false;
    }
    void add_scopes(std::span<const std::string> scopes)
    {
        if (const std::string list = scope_list(scopes); !list.empty())
            add("scope", list);
    }
    void add_metadata(const protected_resource* of)
    {
        if (of && !of->resource.empty() && is_all(of->resource, is_target_char))
            add("resource_metadata", metadata_url(of->resource));
    }
    std::string field() const { return text_ + "\r\n"; }

private:
    std::string text_ = "WWW-Authenticate: Bearer";
    bool is_first_ = true;
};

// Made in steps: where a later member of nested braces throws, gcc 12 destroys an earlier one twice.
access_refusal make_refusal(int status, int code, std::string_view text, std::string fields)
{
    access_refusal made{status, {}, std::move(fields)};
    made.error.code = code;
    made.error.message = text;
    return made;
}

access_refusal missing(const protected_resource* of)
{
    challenge_writer told;
    told.add_metadata(of);
    if (of)
        told.add_scopes(of->scopes_supported);
    return make_refusal(401, error_codes::authentication_required, "Authentication required", told.field());
}

access_refusal malformed()
{
    challenge_writer told;
    told.add("error", "invalid_request");
    return make_refusal(400, error_codes::authentication_required, "Authorization is to be one Bearer token",
                        told.field());
}

// Never which audience was wanted.
access_refusal invalid(std::string_view text, std::string_view description, const protected_resource* of)
{
    challenge_writer told;
    told.add("error", "invalid_token");
    if (!description.empty())
        told.add("error_description", description);
    told.add_metadata(of);
    return make_refusal(401, error_codes::authentication_required, text, told.field());
}

access_refusal throttled()
{
    access_refusal made = make_refusal(429, error_codes::too_many_requests, "Too many requests",
                                       "Retry-After: " + std::to_string(throttled_seconds) + "\r\n");
    made.error.data = boost::json::value{{"retry_after_ms", throttled_seconds * 1000}};
    return made;
}

} // namespace

shown_authorization read_authorization(const request_head& head) noexcept
{
    shown_authorization shown;
    for (const field& one : head.fields) {
        if (!is_name(one.name, "authorization"))
            continue;
        shown.is_malformed = shown.value.has_value();
        if (shown.is_malformed)
            break;
        shown.value = one.value;
    }
    shown.is_malformed = shown.is_malformed || (!head.query.empty() && has_token(head.query));
    return shown;
}

access_refusal refuse_authentication(authentication_outcome how, const protected_resource* of)
{
    switch (how) {
    case authentication_outcome::malformed: return malformed();
    case authentication_outcome::invalid: return invalid("The token is not valid", {}, of);
    case authentication_outcome::expired: return invalid("The token has expired", "expired", of);
    case authentication_outcome::wrong_audience: return invalid("The token is for another server", "audience", of);
    case authentication_outcome::unavailable:
        return make_refusal(503, error_codes::server_busy, "Server busy", "Retry-After: 1\r\n");
    case authentication_outcome::throttled: return throttled();
    default: return missing(of);
    }
}

std::string insufficient_scope_fields(std::span<const std::string> required, const protected_resource* of)
{
    challenge_writer told;
    told.add("error", "insufficient_scope");
    told.add_scopes(required);
    told.add_metadata(of);
    return told.field();
}

// The well-known part stands between the origin and the rest, of which a slash alone is left out.
std::string metadata_url(std::string_view resource)
{
    const std::size_t scheme_end = resource.find("://");
    const std::size_t host = scheme_end == resource.npos ? 0 : scheme_end + 3;
    const std::size_t origin_end = std::min(resource.find_first_of("/?", host), resource.size());
    std::string_view rest = resource.substr(origin_end);
    if (rest == "/" || rest.starts_with("/?"))
        rest.remove_prefix(1);
    std::string url(resource.substr(0, origin_end));
    return url.append(metadata_path).append(rest);
}

} // namespace partyline::http
