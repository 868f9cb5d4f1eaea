#pragma once

#include <partyline/session/call_params.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace partyline {

/// Calls and notifications that are sent together in one message (JSON-RPC 2.0 §6). The peer may run them concurrently
/// and answer in any order.
///
///     partyline::call_batch both;
///     both.call("add", args(2, 40)).notify("log", args("adding"));
///     const auto replies = co_await peer.batch(std::move(both)); // one: a notification has none
class call_batch {
public:
    /// A call or a notification, as it was added.
    struct element {
        /// The name of the method, which is not empty.
        std::string method;
        /// The params. Null: sent without params.
        call_params params;
        /// Whether it is a call; else it is a notification, which has no response.
        bool is_call = true;
    };

    /// Adds a call. The responses of a batch are those of its calls, in the order in which they were added.
    call_batch& call(std::string method, call_params params = nullptr)
    {
        elements_.push_back({std::move(method), std::move(params), true});
        return *this;
    }
    /// Adds a notification, which has no response.
    call_batch& notify(std::string method, call_params params = nullptr)
    {
        elements_.push_back({std::move(method), std::move(params), false});
        return *this;
    }

    /// The calls and notifications that were added so far, in their order.
    const std::vector<element>& elements() const noexcept { return elements_; }

private:
    std::vector<element> elements_;
};

} // namespace partyline
