#pragma once

#include "scanner.hpp"

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
    value_builder() : stack_({}, room_, sizeof room_) {}

    /// Scans the value at `p` as `scanner::skip_value` does, and builds it. Null also for a number that no double can hold,
    /// which is `scanner::fault::number`.
    const char* read(scanner& scan, const char* p, std::size_t room, boost::json::storage_ptr storage);

    /// Whether what was read last has not been taken yet.
    bool has_value() const noexcept { return has_value_; }
    boost::json::value take()
    {
        has_value_ = false;
        return stack_.release();
    }
    void forget() noexcept { has_value_ = false; }
    /// The number that stopped it.
    std::string_view refused() const noexcept { return refused_; }

private:
    alignas(boost::json::value) unsigned char room_[2048];
    boost::json::value_stack stack_;
    std::string_view refused_;
    bool has_value_ = false;
};

} // namespace partyline
