#pragma once

#include <partyline/session/message_event.hpp>

#include <exception>
#include <optional>

namespace partyline {

/// Shows the message hook what passes. A hook that throws has broken its contract: its user is told, and what the hook was
/// asked about goes its way, so that nothing is left half written or half read on its account.
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

    /// Whether there is a hook: an event need not be made for nobody.
    explicit operator bool() const noexcept { return bool(hook_); }

    std::optional<error_object> ask(const message_event& event) const noexcept
    {
        try {
            return hook_ ? hook_(event) : std::nullopt;
        } catch (...) {
            user_.on_hook_failed(std::current_exception());
            return std::nullopt;
        }
    }

private:
    const message_hook& hook_;
    user& user_;
};

} // namespace partyline
