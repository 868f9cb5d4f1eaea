#pragma once

#include "fleet/front/front_effects.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace partyline::test {

/// What has become of all calls, as their clients and the handlers have seen it.
struct call_record {
    bool is_idempotent = false;
    std::string front;
    bool is_front_dead = false;
    bool is_cancelled = false; // by its client
    std::size_t settled = 0;
    fleet::front_outcome outcome = fleet::front_outcome::answered;
    bool may_have_run = false;
    std::string answer;
    std::size_t runs = 0;
    bool was_answered_wrongly = false; // by another call's reply, or a message after the end
};

/// Calls by their number in the whole fleet. Each carries it as its message.
using call_ledger = std::vector<call_record>;

} // namespace partyline::test
