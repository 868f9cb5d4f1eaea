#pragma once

#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace partyline::test {

/// Methods for calls from many threads: echo and hop; back and deep, which call the peer; wait and ask_wait, which only
/// a cancel ends. Each also with "pool_" before its name: on an executor of its own.
std::shared_ptr<const method_table> make_storm_methods(const boost::asio::any_io_executor& pool);

/// Calls that several threads make on one session, some of which are cancelled, from other threads again, and complete
/// on executors of all kinds.
///
/// The session must live until `wait()` has returned.
class call_storm {
public:
    enum class plan {
        all_end, ///< what would wait for ever is cancelled
        endless, ///< it is not, but when the session is ended
    };

    call_storm(session& target, boost::asio::thread_pool& elsewhere, unsigned seed, plan how);
    call_storm(const call_storm&) = delete;
    call_storm& operator=(const call_storm&) = delete;
    ~call_storm();

    /// Waits until all calls have completed; false when that takes too long.
    bool wait();

    static constexpr int count = 240;

    /// How many have come to "result", "wrong result", "error <code>" or the text of an error code. After `wait()`.
    int times(const std::string& what) const;
    std::string summary() const;
    /// Those that have completed more than once.
    int repeated() const { return repeated_; }
    /// Those that were cancelled, in time or not.
    int cancelled() const { return cancelled_; }

private:
    static constexpr int threads = 4;
    using strand = boost::asio::strand<boost::asio::thread_pool::executor_type>;

    struct one {
        explicit one(boost::asio::thread_pool& on) : home(boost::asio::make_strand(on)) {}
        int times = 0;
        strand home;
        boost::asio::cancellation_signal cancel; // used there only
    };

    void make_calls(unsigned seed, int first);
    void start(one& own, const std::string& method, const std::string& params, unsigned variant);
    void start_cancelled(const std::shared_ptr<one>& own, const std::string& method, const std::string& params);
    auto handler(one& own, std::string expected);
    void end(one& own, const std::string& what);

    session& target_;
    boost::asio::thread_pool& elsewhere_;
    const plan how_;
    std::vector<std::shared_ptr<one>> calls_; // a cancel may come when all is over
    std::deque<std::thread> callers_;
    std::atomic<int> cancelled_ = 0;
    std::mutex mutex_; // for all that follow
    std::condition_variable all_;
    int open_ = count;
    int repeated_ = 0;
    std::map<std::string, int> outcomes_;
};

} // namespace partyline::test
