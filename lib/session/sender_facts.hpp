#pragma once

#include <partyline/config.hpp>
#include <partyline/session/trace_context.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline {

/// A field of HTTP that handlers may read.
struct sent_field {
    std::string name; // in lower case
    std::string value;
};
using sent_fields = std::vector<sent_field>;

/// The field of this name, in whatever case; null where there is none.
PARTYLINE_EXPORT const sent_field* find_field(const sent_fields& among, std::string_view name) noexcept;

/// Adds a field; several of one name are one value, divided by ", " (RFC 9110 §5.3). `name`: in any case.
void add_field(sent_fields& to, std::string name, std::string_view value);

/// What the request of HTTP tells, or the handshake of a WebSocket, of the messages that come by it.
struct sender_facts {
    /// The piece of work that they are part of. Set where there is a hook that traces are read for.
    std::optional<trace_context> trace = {};
    /// See `request_context::http_field`. Null: none.
    std::shared_ptr<const sent_fields> fields = {};
    /// Of these: each message takes so much more.
    std::size_t bytes = 0;

    PARTYLINE_EXPORT void set_fields(sent_fields found);
};

} // namespace partyline
