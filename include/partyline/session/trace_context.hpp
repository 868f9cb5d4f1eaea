#pragma once

#include <partyline/config.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace partyline {

/// The place of a piece of work in a trace: all the work, in however many programs, for one request of a user. See W3C
/// Trace Context (https://www.w3.org/TR/trace-context/). Ids are lowercase hexadecimal, as on the wire.
class PARTYLINE_EXPORT trace_context {
public:
    /// The first piece of a new trace. The trace counts as sampled: programs that sample further on decide for
    /// themselves.
    static trace_context make_root();

    /// Parses a `traceparent` and a `tracestate` that have come: the sender's piece of work, of which ours is a
    /// `child`. None for a `traceparent` that violates §3.2; one of a later version is read as far as it is known. A
    /// `tracestate` of more than 512 characters is left out (§3.3.1.5).
    static std::optional<trace_context> parse(std::string_view traceparent, std::string_view tracestate = {});

    /// A piece of work that is part of this one, with an id of its own.
    trace_context child() const;

    /// The trace's id, 32 digits.
    std::string_view trace_id() const noexcept { return {trace_id_.data(), trace_id_.size()}; }
    /// The id of this piece of work, 16 digits.
    std::string_view span_id() const noexcept { return {span_id_.data(), span_id_.size()}; }
    /// The id of the piece of work that this is a part of; empty where it is the first, or has just been parsed.
    std::string_view parent_id() const noexcept { return {parent_id_.data(), has_parent_ ? parent_id_.size() : 0}; }
    /// Whether the sender may have recorded it.
    bool is_sampled() const noexcept { return is_sampled_; }
    /// Data of tracing systems; passed on as it came.
    const std::string& state() const noexcept { return state_; }

    /// The text of the `traceparent` on the wire.
    std::string traceparent() const;

private:
    trace_context() = default;

    std::array<char, 32> trace_id_ = {};
    std::array<char, 16> span_id_ = {};
    std::array<char, 16> parent_id_ = {};
    bool has_parent_ = false;
    bool is_sampled_ = true;
    std::string state_;
};

} // namespace partyline
