#include "mcp/state/request_state.hpp"

#include "mcp/state/state_payload.hpp"
#include "protocol/json/base64.hpp"

#include <utility>

namespace partyline::mcp {
namespace {

constexpr std::size_t code_bytes = std::tuple_size_v<sha256_digest>;
constexpr std::chrono::milliseconds longest_time_to_live = std::chrono::hours(24) * 366;

std::int64_t milliseconds_of(state_sealer::time_point time)
{
    return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

std::optional<state_fault> difference(const state_payload& sealed, const state_payload& asked)
{
    if (sealed.method != asked.method)
        return state_fault::other_method;
    if (sealed.name != asked.name)
        return state_fault::other_name;
    if (sealed.arguments != asked.arguments)
        return state_fault::other_arguments;
    if (sealed.principal != asked.principal)
        return state_fault::other_principal;
    return std::nullopt;
}

[[noreturn]] void refuse_length(std::size_t length, std::size_t most)
{
    throw unsealable_state("What is to be remembered between rounds takes " + std::to_string(length) +
                           " bytes as a state, and may take " + std::to_string(most) + ".");
}

} // namespace

std::string_view words(state_fault fault) noexcept
{
    switch (fault) {
    case state_fault::too_long: return "is longer than a state may be";
    case state_fault::not_base64: return "is not base64url";
    case state_fault::too_short: return "is too short to be signed";
    case state_fault::bad_signature: return "was not signed by any of the keys";
    case state_fault::bad_payload: return "was signed, but is not of the form that is known here";
    case state_fault::expired: return "has expired";
    case state_fault::other_method: return "is of a request of another method";
    case state_fault::other_name: return "is of a request for another tool, prompt or resource";
    case state_fault::other_arguments: return "is of a request with other arguments";
    case state_fault::other_principal: return "is of a request of another principal";
    }
    return "is not known";
}

state_sealer::state_sealer(const state_keys& keys, state_limits limits)
    : signer_(keys, "partyline: state of a request, 1"), limits_(limits)
{
    if (limits_.time_to_live <= limits_.time_to_live.zero() || limits_.time_to_live > longest_time_to_live)
        throw std::invalid_argument("The time to live of a request's state is to be from 1 ms to 366 days.");
}

std::string state_sealer::seal(const round_memo& memo, const state_binding& binding, time_point now) const
{
    const std::string payload = payload_text(memo, binding, now);
    std::string sealed = encode_base64url(std::string(bytes_of(signer_.sign(payload))) + payload);
    if (sealed.size() > limits_.bytes)
        refuse_length(sealed.size(), limits_.bytes);
    return sealed;
}

std::string state_sealer::payload_text(const round_memo& memo, const state_binding& binding, time_point now) const
{
    state_payload payload = bound_payload(binding);
    payload.expiry = milliseconds_of(now) + limits_.time_to_live.count();
    payload.kept = memo;
    return write_payload(payload, limits_.depth);
}

std::variant<round_memo, state_fault> state_sealer::open(std::string_view sealed, const state_binding& binding,
                                                         time_point now) const
{
    if (sealed.size() > limits_.bytes)
        return state_fault::too_long;
    const std::optional<std::string> bytes = decode_base64url(sealed);
    if (!bytes)
        return state_fault::not_base64;
    if (bytes->size() <= code_bytes)
        return state_fault::too_short;
    const std::string_view code = std::string_view(*bytes).substr(0, code_bytes);
    const std::string_view payload = std::string_view(*bytes).substr(code_bytes);
    if (!signer_.has_signed(payload, code))
        return state_fault::bad_signature;
    return read(payload, binding, now);
}

std::variant<round_memo, state_fault> state_sealer::read(std::string_view payload, const state_binding& binding,
                                                         time_point now) const
{
    std::optional<state_payload> sealed = read_payload(payload, limits_.depth);
    if (!sealed)
        return state_fault::bad_payload;
    if (milliseconds_of(now) >= sealed->expiry)
        return state_fault::expired;
    if (const auto fault = difference(*sealed, bound_payload(binding)))
        return *fault;
    return std::move(sealed->kept);
}

} // namespace partyline::mcp
