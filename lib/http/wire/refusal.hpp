#pragma once

namespace partyline::http {

/// Why a request can't be read any further: the connection ends with this status.
struct refusal {
    int status = 0;
    /// In plain words, a literal: what, where, and what was expected.
    const char* reason = "";
};

} // namespace partyline::http
