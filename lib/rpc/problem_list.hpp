#pragma once

#include <partyline/protocol/error.hpp>

#include <boost/json/array.hpp>

#include <cstddef>
#include <string_view>

namespace partyline::detail {

class parameter_place;

/// All that is wrong with the params of one request, or the first of it.
///
/// Flow: `attempt()` to read each value, which notes what is wrong; then `take()`, unless it is empty.
class problem_list {
public:
    static constexpr std::size_t usual_max = 10; // nobody mends more at once

    explicit problem_list(std::size_t max = usual_max) noexcept : max_(max) {}

    bool empty() const noexcept { return problems_.empty(); }
    /// Nothing more is read then.
    bool is_full() const noexcept { return problems_.size() >= max_; }

    /// Notes that something else was `expected` at this place than what it `got`: plain words, such as "integer from 0
    /// to 255" and "300". A long `got` is shortened.
    void add(const parameter_place& place, std::string_view expected, std::string_view got);
    /// Notes a name within this place that is none of `names`.
    void add_unknown_name(parameter_place place, std::string_view name, std::string_view names);
    /// Notes an error -32602 that does not know its place yet.
    void add(const parameter_place& place, error_object problem);

    /// Calls `read`, and notes what a conversion of a user's own throws as such a problem; what is no such problem is
    /// thrown on. False, and nothing is read, when the list is full.
    template <class Read>
    bool attempt(Read read)
    {
        if (is_full())
            return false;
        try {
            read();
        } catch (const rpc_error& problem) {
            add(problem);
        }
        return true;
    }

    /// All of it as one error -32602: `data` says the first, as if it were the only one, and has the others in the
    /// array `others`. Without `data` where there is none.
    error_object take();

private:
    // Called while it is handled.
    void add(const rpc_error& problem);

    std::size_t max_;
    boost::json::array problems_; // {parameter, expected, got} each
};

} // namespace partyline::detail
