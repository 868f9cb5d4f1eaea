#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>

#include <optional>

namespace partyline::fleet {

/// The completion of a call that runs elsewhere than its caller: told once, on the caller's executor, whose context
/// runs until then.
///
/// Thread safety: none; but where it is told, another thread may be than where it was made.
class call_completion {
public:
    using handler = boost::asio::any_completion_handler<void(error_code, response)>;

    /// Where the handler has no executor it is called on `other`.
    call_completion(handler done, const boost::asio::any_io_executor& other);

    void tell(error_code failed, response reply);
    bool is_told() const noexcept { return !done_; }

private:
    boost::asio::any_completion_executor executor_;
    std::optional<handler> done_;
};

} // namespace partyline::fleet
