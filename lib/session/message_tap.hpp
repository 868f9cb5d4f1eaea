#pragma once

#include "session/served_record.hpp"
#include "session/session_context.hpp"

#include <partyline/session/lifecycle.hpp>
#include <partyline/session/message_event.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string_view>

namespace partyline {

/// Shows every message that passes to `session_options::on_message`, and begins the records for
/// `session_options::on_served`. A message hook that throws has broken its contract: `user` is told, and the message is
/// handled as if the hook had not refused it, so that none is left half written or half read.
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
    message_tap(const session_context& session, user& told) noexcept
        : session_(session), hook_(session.options.on_message), user_(told),
          is_observed_(hook_ || session.options.on_served)
    {
    }

    /// Whether there is a message hook: nothing need be prepared for nobody.
    explicit operator bool() const noexcept { return bool(hook_); }
    /// Whether there is any hook.
    bool is_observed() const noexcept { return is_observed_; }
    /// When the message that is being handled was read; only where there is a hook.
    std::chrono::steady_clock::time_point arrival() const noexcept { return arrival_; }

    /// A message of this length has come, or an element of a batch. Unless it is a reply or a batch, its record begins,
    /// where there is a hook for that.
    void note_arrival(const message& m, std::size_t bytes, bool is_element, outlet_number outlet);
    /// An element of the batch that is being handled is not looked at: the hook for records is told that it is lost.
    void note_lost_element(const message& m, std::size_t bytes, outlet_number outlet) const;
    /// That of the message that is being handled: until a request takes it over, or it has been told what became of the
    /// message.
    served_record& record() noexcept { return record_; }
    const served_record& record() const noexcept { return record_; }

    /// The message that has arrived. The refusal is one of a request or a notification.
    std::optional<error_object> incoming(const message& m, std::string_view text, bool is_element,
                                         outlet_number outlet) const;
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

    const session_context& session_;
    const message_hook& hook_;
    user& user_;
    const bool is_observed_;
    std::chrono::steady_clock::time_point arrival_;
    served_record record_;
};

} // namespace partyline
