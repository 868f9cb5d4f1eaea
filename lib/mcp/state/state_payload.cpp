#include "mcp/state/state_payload.hpp"

#include "mcp/state/arguments_digest.hpp"
#include "protocol/json/base64.hpp"
#include "protocol/json/scanner.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/writer.hpp>

#include <limits>
#include <utility>

namespace partyline::mcp {
namespace {

namespace json = boost::json;

// Goes up when the form changes; a state of another version is none.
constexpr std::int64_t payload_form = 1;

std::string text_of(const sha256_digest& digest)
{
    return encode_base64url(bytes_of(digest));
}

/// Takes members of one object by name and kind; remembers whether one was missing.
class member_taker {
public:
    explicit member_taker(json::object& from) : from_(from) {}

    std::int64_t integer(std::string_view name)
    {
        const json::value* const found = from_.if_contains(name);
        is_whole_ = is_whole_ && found && found->is_int64();
        return is_whole_ ? found->get_int64() : 0;
    }
    std::string string(std::string_view name)
    {
        const json::value* const found = from_.if_contains(name);
        is_whole_ = is_whole_ && found && found->is_string();
        return is_whole_ ? std::string(found->get_string()) : std::string();
    }
    json::object object(std::string_view name)
    {
        json::value* const found = from_.if_contains(name);
        is_whole_ = is_whole_ && found && found->is_object();
        return is_whole_ ? std::move(found->get_object()) : json::object();
    }
    std::optional<json::value> optional(std::string_view name)
    {
        json::value* const found = from_.if_contains(name);
        return found ? std::optional(std::move(*found)) : std::nullopt;
    }

    bool is_whole() const noexcept { return is_whole_; }

private:
    json::object& from_;
    bool is_whole_ = true;
};

std::optional<std::uint32_t> read_round(std::int64_t round)
{
    if (round < 1 || round > std::numeric_limits<std::uint32_t>::max())
        return std::nullopt;
    return static_cast<std::uint32_t>(round);
}

std::optional<state_payload> take_payload(json::object& from)
{
    member_taker take(from);
    const bool is_known = take.integer("v") == payload_form;
    const std::optional<std::uint32_t> round = read_round(take.integer("r"));
    state_payload payload;
    payload.expiry = take.integer("exp");
    payload.method = take.string("m");
    payload.name = take.string("n");
    payload.arguments = take.string("d");
    payload.principal = take.string("p");
    payload.kept.memo = take.object("memo");
    payload.kept.state = take.optional("state");
    if (!take.is_whole() || !is_known || !round)
        return std::nullopt;
    payload.kept.round = *round;
    return payload;
}

json::value parse(const std::string& text, std::size_t max_depth)
{
    scanner scan;
    scan.start(text);
    const char* const end = scan.skip_value(text.c_str(), max_depth);
    if (!end || !scan.at_end(end))
        return nullptr;
    return json_view::checked(text).to_value(json::storage_ptr()); // the default one: a memo is added to
}

} // namespace

state_payload bound_payload(const state_binding& binding)
{
    state_payload payload;
    payload.method = binding.method;
    payload.name = text_of(sha256(binding.name));
    payload.arguments = text_of(digest_of_arguments(binding.arguments));
    payload.principal = text_of(sha256(binding.principal));
    return payload;
}

std::string write_payload(const state_payload& payload, std::size_t max_depth)
{
    json::object members = {{"v", payload_form},       {"exp", payload.expiry},    {"m", payload.method},
                            {"n", payload.name},       {"d", payload.arguments},   {"p", payload.principal},
                            {"r", payload.kept.round}, {"memo", payload.kept.memo}};
    if (payload.kept.state)
        members["state"] = *payload.kept.state;
    byte_buffer text;
    if (const std::optional<unwritable> failure = write_value(text, std::move(members), max_depth))
        throw unsealable_state("What is to be remembered between rounds is not JSON at \"" + failure->where +
                               "\": " + failure->reason + ".");
    return std::string(text.view());
}

// A text of ours can only be refused here when the process that signed it has other limits.
std::optional<state_payload> read_payload(std::string_view text, std::size_t max_depth)
{
    try {
        json::value value = parse(std::string(text), max_depth);
        return value.is_object() ? take_payload(value.get_object()) : std::nullopt;
    } catch (const rpc_error&) {
        return std::nullopt;
    }
}

} // namespace partyline::mcp
