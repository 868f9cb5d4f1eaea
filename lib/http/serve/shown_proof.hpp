#pragma once

#include "http/wire/request_head.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::http {

/// The proof of a call that stands in a field, as it is for params that are an array; empty where there is none. Of
/// several fields, and of one that is too long, it is what nobody takes for a proof.
inline std::string shown_proof(const request_head& head)
{
    constexpr std::string_view name = "partyline-proof";
    constexpr std::size_t longest = std::size_t(8) << 10; // of one in the params
    const std::size_t count = head.count(name);
    if (count == 0) [[likely]]
        return {};
    const std::string_view shown = head.find(name);
    return std::string(count == 1 && shown.size() <= longest ? shown : ",");
}

} // namespace partyline::http
