#pragma once

#include <partyline/session/call_params.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace partyline {

/// Calls and notifications that are sent together in one message (JSON-RPC 2.0 §6). The peer may run them concurrently
/// and answer in any order.
class call_batch {
public:
    struct element {
        std::string method;
        call_params params;
        bool is_call = true;
    };

    call_batch& call(std::string method, call_params params = nullptr)
    {
        elements_.push_back({std::move(method), std::move(params), true});
        return *this;
    }
    call_batch& notify(std::string method, call_params params = nullptr)
    {
        elements_.push_back({std::move(method), std::move(params), false});
        return *this;
    }

    const std::vector<element>& elements() const noexcept { return elements_; }

private:
    std::vector<element> elements_;
};

} // namespace partyline
