#include <partyline/transport/detail/sigpipe_block.hpp>

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>

#include <unistd.h>

namespace {

volatile std::sig_atomic_t raised = 0;

struct broken_pipe {
    int ends[2];
    struct sigaction before;

    broken_pipe()
    {
        BOOST_REQUIRE(::pipe(ends) == 0);
        ::close(ends[0]);
        struct sigaction counting = {};
        counting.sa_handler = [](int) { raised = raised + 1; };
        ::sigaction(SIGPIPE, &counting, &before);
        raised = 0;
    }
    ~broken_pipe()
    {
        ::sigaction(SIGPIPE, &before, nullptr);
        ::close(ends[1]);
    }
    bool write_fails() const { return ::write(ends[1], "x", 1) < 0 && errno == EPIPE; }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sigpipe_block_suite, broken_pipe)

BOOST_AUTO_TEST_CASE(a_write_in_its_scope_raises_nothing)
{
    {
        const partyline::detail::sigpipe_block quiet;
        BOOST_TEST(write_fails());
        BOOST_TEST(write_fails());
    }
    BOOST_TEST(raised == 0);
    BOOST_TEST(write_fails()); // and afterwards everything is as before
    BOOST_TEST(raised == 1);
}

BOOST_AUTO_TEST_CASE(a_signal_that_was_pending_before_stays_so)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    raise(SIGPIPE);
    {
        const partyline::detail::sigpipe_block quiet;
        BOOST_TEST(write_fails());
    }
    BOOST_TEST(raised == 0);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    BOOST_TEST(raised == 1);
}

BOOST_AUTO_TEST_SUITE_END()
