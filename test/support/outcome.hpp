#pragma once

#include <partyline/session/call_result.hpp>

#include <boost/json/serialize.hpp>

#include <optional>
#include <string>

namespace partyline::test {

/// What a call came to, in words, and how often it was told.
class outcome {
public:
    /// The handler of a call.
    auto handler()
    {
        return [this](error_code failed, response reply) { take(failed, reply); };
    }

    void take(error_code failed, const response& reply)
    {
        ++times;
        code = failed;
        said = reply;
    }

    bool is_there() const { return times != 0; }
    /// "result [1]", "error -32601 Method not found", "failed: <the code's message>".
    std::string text() const
    {
        if (times != 1)
            return "told " + std::to_string(times) + " times";
        if (code)
            return "failed: " + code.message();
        if (said.error())
            return "error " + std::to_string(said.error()->code) + ' ' + said.error()->message;
        return "result " + said->text();
    }

    int times = 0;
    error_code code;
    response said;
};

inline std::string failed(error_code code)
{
    return "failed: " + code.message();
}

} // namespace partyline::test
