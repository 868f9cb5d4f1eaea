#pragma once

#include <partyline/session/session_options.hpp>

#include <cstddef>
#include <string_view>

namespace partyline {

/// How what one calls is made into messages.
struct call_rules {
    explicit call_rules(const session_options& of)
        : depth(of.bounds.depth), metadata(of.profile->metadata), around(of.around_calls)
    {
    }

    std::size_t depth; // of what is sent
    std::string_view metadata;
    call_middleware_list around;
    /// Each message goes by a POST of its own. Set before there is any.
    bool are_posted = false;
};

} // namespace partyline
