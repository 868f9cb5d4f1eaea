#pragma once

#include "protocol/json/name_watch.hpp"
#include "protocol/json/scanner.hpp"

#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_stack.hpp>

#include <cstddef>
#include <string_view>

namespace partyline {

/// Builds values from JSON text, one after the other, on Boost.JSON's own stack: what the scanner meets is pushed as it
/// is checked.
class value_builder {
public:
    /// What no value is made of: the text of a number, or the number of members whose names collide.
    struct refusal {
        std::string_view number;
        std::size_t members = 0;
    };

    value_builder() : stack_({}, room_, sizeof room_) {}

    /// Whether halves of surrogate pairs become U+FFFD in strings; else these are refused.
    void replace_half_pairs(bool replaces) noexcept
    {
        halves_ = replaces ? scanner::half_pairs::replaced : scanner::half_pairs::refused;
    }

    /// Scans the value at `p` as `scanner::skip_value` does, and builds it. Null also where it is refused
    /// (`scanner::fault::refused`): a number that no double can hold, an object whose names collide, or a string that
    /// has no UTF-8, of which the scanner knows the place.
    const char* read(scanner& scan, const char* p, std::size_t room, boost::json::storage_ptr storage);

    /// Whether what was read last has not been taken yet.
    bool has_value() const noexcept { return has_value_; }
    boost::json::value take()
    {
        has_value_ = false;
        return stack_.release();
    }
    void drop() noexcept
    {
        if (has_value_) [[unlikely]]
            take();
    }
    /// What stopped it; empty where a string did.
    const refusal& refused() const noexcept { return refused_; }

private:
    alignas(boost::json::value) unsigned char room_[2048];
    boost::json::value_stack stack_;
    name_watch names_;
    refusal refused_;
    scanner::half_pairs halves_ = scanner::half_pairs::refused;
    bool has_value_ = false;
};

} // namespace partyline
