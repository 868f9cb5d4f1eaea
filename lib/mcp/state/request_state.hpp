#pragma once

#include "mcp/state/signer.hpp"

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace partyline::mcp {

/// What a state is good for: one request of one principal. Whose retry has other values here, has a state of another
/// request.
struct state_binding {
    std::string_view method;
    /// The name of the tool or prompt, or a resource's URI.
    std::string_view name;
    /// See `digest_of_arguments` for what counts as the same.
    json_view arguments;
    /// Who asks, as far as that is known; empty otherwise.
    std::string_view principal;
};

/// What a handler has to find again in the next round.
struct round_memo {
    /// The number of the round that left it, from 1 on.
    std::uint32_t round = 1;
    /// Answers and results by key, as whoever fills it likes.
    boost::json::object memo;
    /// What the handler itself has set.
    std::optional<boost::json::value> state;
};

/// Why a state is not taken. For the log: peers are told one text for all.
enum class state_fault : std::uint8_t {
    too_long,
    not_base64,
    too_short,
    bad_signature,
    bad_payload,
    expired,
    other_method,
    other_name,
    other_arguments,
    other_principal,
};

/// What has happened, as the rest of a sentence about the state: "has expired".
std::string_view words(state_fault fault) noexcept;

/// What a handler wants to remember cannot be sealed: it is too much, or is not JSON. `what()` says so.
class PARTYLINE_EXPORT unsealable_state : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct state_limits {
    /// How long a client may take for one round.
    std::chrono::milliseconds time_to_live = std::chrono::minutes(10);
    /// Longest state, as it is sent.
    std::size_t bytes = std::size_t(64) << 10;
    /// Deepest nesting of the payload: what is remembered under a key stands three levels deep in it.
    std::size_t depth = 128;
};

/// Writes what a handler remembers into a text that the client keeps until the next round, and reads it again. It is
/// signed, not secret: the client can read it, but not change it, nor use it for another request, as another principal
/// or too late. It may use it twice.
///
/// Thread safety: all is const, and may be used by several threads at once.
class state_sealer {
public:
    using time_point = std::chrono::system_clock::time_point;

    /// Throws `std::invalid_argument` for a time to live that is not positive, or longer than a year.
    explicit state_sealer(const state_keys& keys, state_limits limits = {});

    /// base64url(HMAC-SHA256 || payload). Throws `unsealable_state`.
    std::string seal(const round_memo& memo, const state_binding& binding, time_point now) const;

    /// Nothing of `sealed` is looked into before its signature has been checked. It is taken until just before its time
    /// to live has passed. Of several faults the first one in the order of `state_fault` is told.
    std::variant<round_memo, state_fault> open(std::string_view sealed, const state_binding& binding,
                                               time_point now) const;

    const state_limits& limits() const noexcept { return limits_; }

private:
    std::string payload_text(const round_memo& memo, const state_binding& binding, time_point now) const;
    std::variant<round_memo, state_fault> read(std::string_view payload, const state_binding& binding,
                                               time_point now) const;

    signer signer_;
    state_limits limits_;
};

} // namespace partyline::mcp
