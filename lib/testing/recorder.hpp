#pragma once

#include <partyline/protocol/message.hpp>
#include <partyline/session/message_event.hpp>
#include <partyline/session/profile.hpp>
#include <partyline/testing/records.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// The dialect of a server's profile as its peer speaks it: without the lifecycle, which is the server's.
class peer_profile final : public profile {
public:
    explicit peer_profile(const profile& servers) : profile(servers), servers_(servers) {}

    std::shared_ptr<lifecycle> make_lifecycle() const override { return nullptr; }
    void check_progress(const boost::json::value& value) const override { servers_.check_progress(value); }

private:
    const profile& servers_;
};

/// A number that no value can hold (1e400) is kept as the text in which it stands.
boost::json::value value_or_text(json_view text);

/// Keeps what a client hears, and knows what is in flight. Its client's session has it by a hook, and may outlive the
/// client.
class recorder {
public:
    recorder(const profile& servers, const limits& bounds) : protocol(servers), bounds_(bounds) {}

    /// Sees every message of the client's session.
    void on_message(const message_event& event);
    /// What is in flight in either direction, in words, each part behind "; "; empty for nothing.
    std::string in_flight() const;

    const peer_profile protocol;
    std::vector<recorded_notification> notifications;
    std::vector<recorded_progress> progress;
    /// The methods of calls that have not ended, by id.
    std::map<std::uint64_t, std::string> calls;

private:
    void on_notification(std::string text);
    bool record_progress(const message& notification);
    std::string method_of_token(std::string_view token) const;

    const limits bounds_;
    message_reader reader_{bounds_};
    std::map<std::string, std::string> asked_; // methods of the client that have not answered, by the exact id
};

} // namespace partyline::test
