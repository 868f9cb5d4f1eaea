#pragma once

#include "gateway/relay.hpp"
#include "gateway/relay_methods.hpp"
#include "gateway/relay_profile.hpp"
#include "gateway/shared_front.hpp"

#include <partyline/fleet/front.hpp>
#include <partyline/session/task.hpp>

#include <memory>
#include <optional>

namespace gateway {

/// A client who may begin a session.
struct session_client {
    /// Who that is. May be null.
    std::shared_ptr<const partyline::peer_identity> peer;
};

/// Connects one client's conversation to the workers of a service: its requests are passed on with the same ids, params
/// and results, byte by byte. What lasts longer than a call goes to one worker: each subscription of 2026-07-28, and
/// all that follows the `initialize` of an older client. A client whose rights are limited reaches, and sees in lists,
/// what it may call.
///
/// Ownership: the conversation keeps it, as its methods.
/// Thread safety: everything on the executor of the front.
class bus_relay final {
public:
    /// `for_session`: whose conversation it is, where it may begin a session. What comes by POST is anybody's, and
    /// begins none.
    bus_relay(protocol speaks, std::shared_ptr<shared_front> front, std::optional<session_client> for_session);

    static std::shared_ptr<const partyline::dispatcher> methods_of(const std::shared_ptr<bus_relay>& one)
    {
        return {one, &one->methods_};
    }
    const partyline::profile& profile() const noexcept { return *profile_; }

private:
    using json_text = partyline::json_text;

    partyline::method_table make_methods();
    partyline::task<json_text> forward(partyline::request_context& context, json_text params);
    partyline::task<json_text> forward_call(partyline::request_context& context, json_text params);
    partyline::task<json_text> listen(partyline::request_context& context, json_text params);
    partyline::task<partyline::response> ask(partyline::request_context& context, json_text params);
    std::unique_ptr<command_line::observed_call> observe(partyline::request_context& context,
                                                         const json_text& params) const;
    partyline::fleet::fleet_call call_of(partyline::request_context& context, json_text params,
                                         const command_line::observed_call* observed) const;

    std::shared_ptr<relay_profile> profile_;
    std::shared_ptr<shared_front> front_;
    std::optional<session_client> for_session_;
    std::shared_ptr<relay> session_; // from initialize on
    const relay_methods methods_;
};

} // namespace gateway
