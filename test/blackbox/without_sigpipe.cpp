#include <boost/test/unit_test.hpp>

#include <signal.h>

namespace {

// Writing to a server that has ended is an error to look at, not the end of the tests.
struct without_sigpipe {
    without_sigpipe() { ::signal(SIGPIPE, SIG_IGN); }
};

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(without_sigpipe);
