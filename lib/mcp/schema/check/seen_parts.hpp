#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <vector>

namespace partyline::mcp::detail {

/// Which members or elements of one value a schema has had a say on: what the specification calls evaluated.
class seen_parts {
public:
    explicit seen_parts(const boost::json::value& value) : seen_(count(value)) {}

    /// By the position in the object or the array.
    void add(std::size_t position) { seen_[position] = true; }
    void add(const seen_parts& others)
    {
        for (std::size_t i = 0; i < seen_.size(); ++i)
            seen_[i] = seen_[i] || others.seen_[i];
    }
    bool has(std::size_t position) const { return seen_[position]; }
    std::size_t size() const noexcept { return seen_.size(); }

private:
    static std::size_t count(const boost::json::value& value) noexcept
    {
        if (const auto* const members = value.if_object())
            return members->size();
        const auto* const elements = value.if_array();
        return elements ? elements->size() : 0;
    }

    std::vector<bool> seen_;
};

} // namespace partyline::mcp::detail
