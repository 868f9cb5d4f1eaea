#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <utility>

namespace partyline {

/// Waits for the end of a process that need not be a child of ours. Destroying it ends the waiting.
class process_watch {
public:
    explicit process_watch(boost::asio::any_io_executor executor) : end_(std::move(executor)) {}

    /// Calls `ended`, on the executor, when the process has ended. Fails with
    /// `no_such_process` when there is none of this number, or none that we can see.
    error_code start(int id, std::function<void()> ended);

private:
    boost::asio::posix::stream_descriptor end_; // see open_process_end
};

} // namespace partyline
