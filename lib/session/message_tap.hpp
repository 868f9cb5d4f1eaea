#pragma once

#include <partyline/session/lifecycle.hpp>
#include <partyline/session/message_event.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string_view>

namespace partyline {

/// Shows every message that passes to `session_options::on_message`. A hook that throws has broken its contract: `user`
/// is told, and the message is handled as if the hook had not refused it, so that none is left half written or half
/// read.
class message_tap {
public:
    class user {
    public:
        /// May be in the middle of anything: it is for later.
        virtual void on_hook_failed(std::exception_ptr thrown) noexcept = 0;

    protected:
        ~user() = default;
    };

    /// Both live longer.
    message_tap(const message_hook& hook, user& told) noexcept : hook_(hook), user_(told) {}

    /// Whether there is a hook: nothing need be prepared for nobody.
    explicit operator bool() const noexcept { return bool(hook_); }
    /// When the message that is being handled was read; only where there is a hook.
    std::chrono::steady_clock::time_point arrival() const noexcept { return arrival_; }

    /// A message has come, or an element of a batch. The refusal is one of a request or a notification.
    std::optional<error_object> incoming(const message& m, std::string_view text, bool is_element,
                                         outlet_number outlet);
    /// A reply has come, to a call of this method made at that time; with an empty method to none that we know.
    void incoming_reply(const message& m, int error_code, std::string_view text, bool is_element, outlet_number outlet,
                        std::string_view method, std::chrono::steady_clock::time_point called) const;
    /// A reply has been written, to what was read at that time.
    void outgoing_reply(const answer_given& how, std::chrono::steady_clock::time_point read, std::string_view text,
                        bool is_element, outlet_number outlet) const;
    /// Anything else has been written: a call, a notification, a batch. A batch is sent all the same.
    std::optional<error_object> outgoing(message_type type, std::string_view id, std::string_view method,
                                         std::string_view text, bool is_element, outlet_number outlet) const;

private:
    std::optional<error_object> show(const message_event& event) const noexcept;

    const message_hook& hook_;
    user& user_;
    std::chrono::steady_clock::time_point arrival_;
};

} // namespace partyline
