#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <utility>

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

    /// Throws `std::bad_alloc` where there is no memory for it; then it is not told yet.
    void tell(error_code failed, response reply);

private:
    // Apart from this, so that an attempt to tell it which fails loses nothing.
    struct waiting {
        explicit waiting(handler caller) : done(std::move(caller)) {}
        handler done;
        error_code failed;
        response reply;
    };

    boost::asio::any_completion_executor executor_;
    std::shared_ptr<waiting> waits_; // null: it is told
};

} // namespace partyline::fleet
