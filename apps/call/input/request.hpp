#pragma once

#include <partyline/protocol/json_text.hpp>

#include <string>

namespace call {

/// A call that is to be made.
struct request {
    std::string method;
    /// Empty for none.
    partyline::json_text params;
    /// What its outcome is shown under, as JSON text; empty for the only call of a run.
    std::string label;
};

} // namespace call
