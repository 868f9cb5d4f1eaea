#pragma once

#include <partyline/config.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <vector>

namespace partyline {

/// The executors that a server works on: its caller's, and one `io_context` with a thread of its own for each further
/// thread. With one thread there is nothing but the caller's.
///
/// Lifetime: the threads belong to the caller's execution context, whose destruction waits for what runs on them. A
/// server that is destroyed leaves its threads to the next one of that context.
/// Thread safety: safe.
class PARTYLINE_EXPORT server_threads {
public:
    static constexpr std::size_t most = 1024;

    /// `count`: how many; 0: one for each core. Throws `std::invalid_argument` for more than `most`, and
    /// `std::system_error` where the system refuses a thread.
    server_threads(boost::asio::any_io_executor first, std::size_t count);
    ~server_threads();
    server_threads(const server_threads&) = delete;
    server_threads& operator=(const server_threads&) = delete;

    std::size_t size() const noexcept { return executors_.size(); }
    const boost::asio::any_io_executor& executor(std::size_t number) const { return executors_.at(number); }

private:
    std::vector<boost::asio::any_io_executor> executors_;
};

} // namespace partyline
