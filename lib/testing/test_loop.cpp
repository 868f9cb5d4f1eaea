#include "testing/test_loop.hpp"

#include "session/due_time.hpp"

#include <stdexcept>

namespace asio = boost::asio;

namespace partyline::test {

class test_loop::use {
public:
    explicit use(test_loop& used) : used_(used)
    {
        if (used.is_running_)
            throw std::logic_error("the test kit is called by what it runs: a handler or a predicate may not wait so; "
                                   "a handler calls its peer by its request_context");
        used.is_running_ = true;
        used.context_.restart();
    }
    ~use() { used_.is_running_ = false; }
    use(const use&) = delete;
    use& operator=(const use&) = delete;

private:
    test_loop& used_;
};

// One thread runs it; handlers on other threads may post to it.
test_loop::test_loop(asio::io_context* given) : context_(given ? *given : own_.emplace(1)) {}

bool test_loop::try_run_until(const std::function<bool()>& done)
{
    const use running(*this);
    const steady_time deadline = due_time(time_limit);
    while (!done()) {
        if (context_.poll_one() != 0) {
            if (std::chrono::steady_clock::now() >= deadline)
                return done();
        } else if (context_.run_one_until(deadline) == 0)
            return done();
    }
    return true;
}

bool test_loop::try_run_until_idle()
{
    const use running(*this);
    const steady_time deadline = due_time(time_limit);
    while (context_.poll_one() != 0) {
        if (std::chrono::steady_clock::now() >= deadline)
            return false;
    }
    return true;
}

std::string test_loop::limit_text() const
{
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time_limit).count();
    const bool is_seconds = ms != 0 && ms % 1000 == 0;
    return "within " + (is_seconds ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms");
}

} // namespace partyline::test
