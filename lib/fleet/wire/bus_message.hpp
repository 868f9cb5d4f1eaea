#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::fleet {

/// What the bus says to a program: a message at one of the subjects that it has subscribed to.
struct bus_message {
    std::string_view subject;
    std::string_view reply_to = {};
    int status = 0; // of a message of the server alone (`NATS/1.0 503`); else 0
    std::string_view payload = {};
};

/// The status of the server: nobody has subscribed to the subject that the request went to.
inline constexpr int no_responders = 503;

/// What a program says to the bus. Everything is one of these, also what JetStream is asked for.
struct publication {
    std::string subject;
    std::string reply_to = {};                       // empty: nobody is to answer
    std::shared_ptr<const std::string> payload = {}; // null: empty
    std::string message_id = {}; // of the header Nats-Msg-Id; a stream keeps one message with it. Empty: no header
    bool is_create = false;      // it is kept only where its subject has nothing yet (expected sequence 0)

    std::string_view text() const noexcept { return payload ? std::string_view(*payload) : std::string_view(); }
};

inline publication make_publication(std::string subject, std::string payload)
{
    publication made;
    made.subject = std::move(subject);
    made.payload = std::make_shared<const std::string>(std::move(payload));
    return made;
}

} // namespace partyline::fleet
