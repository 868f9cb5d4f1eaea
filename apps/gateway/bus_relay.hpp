#pragma once

#include "gateway/relay_methods.hpp"
#include "gateway/relay_profile.hpp"
#include "gateway/shared_front.hpp"

#include <partyline/fleet/front.hpp>
#include <partyline/session/task.hpp>

#include <memory>

namespace gateway {

/// Connects one client's conversation to the workers of a service: its requests are passed on with the same ids, params
/// and results, byte by byte. A client whose rights are limited reaches, and sees in lists, what it may call.
///
/// Ownership: the conversation keeps it, as its methods.
/// Thread safety: everything on the executor of the program.
class bus_relay final {
public:
    bus_relay(protocol speaks, std::shared_ptr<shared_front> front);

    static std::shared_ptr<const partyline::dispatcher> methods_of(const std::shared_ptr<bus_relay>& one)
    {
        return {one, &one->methods_};
    }
    const partyline::profile& profile() const noexcept { return profile_; }

private:
    using json_text = partyline::json_text;

    partyline::method_table make_methods();
    partyline::task<json_text> forward(partyline::request_context& context, json_text params);
    partyline::task<partyline::response> ask(partyline::request_context& context, json_text params);
    std::unique_ptr<command_line::observed_call> observe(partyline::request_context& context,
                                                         const json_text& params) const;
    partyline::fleet::fleet_call call_of(partyline::request_context& context, json_text params,
                                         const command_line::observed_call* observed) const;

    relay_profile profile_;
    std::shared_ptr<shared_front> front_;
    const relay_methods methods_;
};

} // namespace gateway
