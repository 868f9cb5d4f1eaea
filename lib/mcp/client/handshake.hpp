#pragma once

#include <partyline/mcp/client/listed.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/task.hpp>

#include <boost/json/value.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace partyline::mcp {

class client_core;

/// Comes to terms with a server, of either era (2026-07-28, "Compatibility"). What it throws ends the conversation.
class handshake {
public:
    /// `of` lives as long.
    explicit handshake(client_core& of) noexcept : core_(of) {}

    task<void> run();

private:
    /// A request that goes on whether or not anybody waits for it: a server must not be told to cancel `initialize`.
    struct late_call;

    std::shared_ptr<late_call> begin(std::string method, std::string params) const;
    task<bool> wait(std::shared_ptr<late_call> of, std::chrono::steady_clock::duration most) const;

    // These are true where the server is modern.
    task<bool> discover(std::chrono::steady_clock::duration most);
    bool take_discovery(const response& reply);
    bool take_facts(const response& reply);
    bool falls_back(const error_object& answered);
    bool falls_back(const std::string& details) const;

    task<void> initialize();
    task<void> take_refusal(error_object answered);
    void take_initialized(const response& reply);
    std::string initialize_params() const;

    client_core& core_;
    std::shared_ptr<late_call> silent_; // a `server/discover` without an answer
    bool is_again_ = false;             // the server says that it is modern, and was asked again
};

} // namespace partyline::mcp
