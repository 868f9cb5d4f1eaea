#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <map>
#include <utility>

namespace partyline::detail {

/// Which alternative has been found to fit, by the place of a value and the variant that it is to be, while the
/// outermost of variants that contain each other is read. Short values are not kept: to look again costs as little.
class known_alternatives {
public:
    /// Null where it is not known. `variant` is one address for each type.
    const std::size_t* find(const boost::json::value& at, const void* variant) const
    {
        const auto found = indices_.find({&at, variant});
        return found != indices_.end() ? &found->second : nullptr;
    }

    void add(const boost::json::value& at, const void* variant, std::size_t index)
    {
        if (is_long(at))
            indices_.emplace(std::pair(&at, variant), index);
    }

private:
    static bool is_long(const boost::json::value& value) noexcept
    {
        return (value.is_array() && !value.get_array().empty()) || (value.is_object() && !value.get_object().empty());
    }

    std::map<std::pair<const boost::json::value*, const void*>, std::size_t> indices_;
};

} // namespace partyline::detail
