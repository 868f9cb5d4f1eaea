#pragma once

#include <partyline/protocol/message.hpp>

#include <ostream>

// So that Boost.Test can print them.
namespace partyline {

inline std::ostream& operator<<(std::ostream& out, message_type what)
{
    constexpr const char* names[] = {"request", "notification", "response", "batch", "bad"};
    return out << names[static_cast<int>(what)];
}

inline std::ostream& operator<<(std::ostream& out, defect::kind what)
{
    constexpr const char* names[] = {
        "none", "not_json", "invalid", "too_deep", "too_long", "id_too_long", "batch_too_long",
    };
    return out << names[static_cast<int>(what)];
}

} // namespace partyline
