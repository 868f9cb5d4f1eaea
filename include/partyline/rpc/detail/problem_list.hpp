#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/json/array.hpp>

#include <cstddef>

namespace partyline::detail {

/// All that is wrong with the params of one request.
///
/// Flow: `attempt()` to read each value, then `throw_any()`.
class PARTYLINE_EXPORT problem_list {
public:
    /// Calls `read`, and keeps what it says is wrong. When there is enough, nothing more is read: an exception for each
    /// of a million wrong values would cost the peer who sent them less than us.
    template <class Read>
    void attempt(Read read)
    {
        if (problems_.size() == most)
            return;
        try {
            read();
        } catch (const rpc_error& problem) {
            add(problem);
        }
    }

    /// Throws what there is as one `rpc_error` -32602: `data` says the first, as if it were the only one, and has the
    /// others in the array `others`; at most ten in all.
    void throw_any() const;

private:
    static constexpr std::size_t most = 10; // nobody mends more at once

    // Called while it is handled; one of another kind is thrown on.
    void add(const rpc_error& problem);

    boost::json::array problems_; // {parameter, expected, got} each
};

} // namespace partyline::detail
