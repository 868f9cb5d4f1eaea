#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::detail {

/// Where in the params, or in a result, a value stands: the names and indices on the way to it. Names live longer.
class parameter_place {
public:
    /// The params as a whole, or a result as a whole.
    parameter_place() noexcept = default;

    void enter(std::string_view name) { steps_.push_back({name, 0}); }
    void enter(std::size_t index) { steps_.push_back({{}, index}); }
    /// To what stands beside it.
    void move_to(std::string_view name) noexcept { steps_.back().name = name; }
    void move_to(std::size_t index) noexcept { steps_.back().index = index; }
    void leave() noexcept { steps_.pop_back(); }

    bool is_whole() const noexcept { return steps_.empty(); }
    std::size_t depth() const noexcept { return steps_.size(); }
    /// Leaves what is deeper.
    void leave_to(std::size_t depth) { steps_.resize(depth); }

    /// As errors name it: null for the params as a whole, the name or the number of a parameter, and a path such as
    /// `items[2].size` (`[0].size` without a name) within one. Long names are shortened.
    boost::json::value to_json() const;

private:
    struct step {
        std::string_view name; // or an index
        std::size_t index = 0;

        bool is_name() const noexcept { return name.data() != nullptr; }
    };

    static void append(std::string& path, const step& next);

    boost::container::small_vector<step, 4> steps_;
};

} // namespace partyline::detail
