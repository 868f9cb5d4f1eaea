// A gate reads its file, admits, refuses, renews and reloads while one allocation fails, each in turn. Nobody is
// admitted by that, nothing ends, and afterwards all is as it was.

#include "faults/allocation_faults.hpp"
#include "unit/access/gate_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <exception>
#include <string>

using namespace partyline::access;
using partyline::access_answer;
using partyline::authentication;
using partyline::authentication_outcome;
using partyline::peer_identity;
using partyline::test::armed_allocations;

namespace {

std::string text_with(const char* method)
{
    return R"({"tokens": [{"sha256": ")" + gate_fixture::sha256("good") + R"(", "principal": "alice-with-a-long-name",
               "scopes": ["a-scope-that-is-on-the-heap"]}], "users": [{"uid": 7, "principal": "u"}],
               "implies": {"a-scope-that-is-on-the-heap": ["another-scope-on-the-heap"]},
               "rules": [{"methods": [")" +
           std::string(method) + R"("], "scopes": ["another-scope-on-the-heap"]}], "limits": [{"at_once": 5}]})";
}

// Calls it with each of its allocations failing, and says how many these are.
template <class Step>
std::size_t fail_each_in(Step step)
{
    for (std::size_t n = 1;; ++n) {
        const armed_allocations armed({.fails_at = n});
        step();
        if (armed.failed() == 0)
            return n - 1;
    }
}

struct fault_gate : gate_fixture {
    fault_gate() : gate_fixture(text_with("m")) { show("warm-up"); }

    // What becomes of a new gate's first visitor.
    std::size_t fail_each_with_new_gate(std::string_view authorization, const peer_identity& from,
                                        authentication_outcome expected)
    {
        for (std::size_t n = 1;; ++n) {
            const gate_fixture fresh(text_with("m"));
            gate by(fresh.file.path());
            authentication found;
            std::size_t failed = 0;
            {
                const armed_allocations armed({.fails_at = n});
                found =
                    authorization.empty() ? by.authenticate(from, {}, now) : by.authenticate(from, authorization, now);
                failed = armed.failed();
            }
            if (found.outcome != authentication_outcome::unavailable)
                BOOST_TEST_REQUIRE(found.outcome == expected);
            BOOST_TEST_REQUIRE((found.grant != nullptr) == (found.outcome == authentication_outcome::admitted));
            const authentication again =
                authorization.empty() ? by.authenticate(from, {}, now) : by.authenticate(from, authorization, now);
            BOOST_TEST_REQUIRE(again.outcome == expected);
            if (failed == 0)
                return n - 1;
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(access_fault_suite, fault_gate, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_file_that_there_is_no_memory_for_is_not_read)
{
    const std::size_t count = fail_each_in([&] {
        try {
            const gate unused(file.path());
        } catch (const std::exception&) {
        }
    });
    BOOST_TEST(count > 50u);
}

BOOST_AUTO_TEST_CASE(nobody_is_admitted_for_lack_of_memory)
{
    peer_identity from;
    from.address = {boost::asio::ip::make_address("192.0.2.1"), 1};
    peer_identity user;
    user.local = peer_identity::credentials{1, 7, 1};
    peer_identity stranger;
    stranger.local = peer_identity::credentials{1, 8, 1};
    BOOST_TEST(fail_each_with_new_gate("Bearer good", from, authentication_outcome::admitted) > 5u);
    BOOST_TEST(fail_each_with_new_gate("Bearer bad", from, authentication_outcome::invalid) > 1u);
    BOOST_TEST(fail_each_with_new_gate("Basic good", from, authentication_outcome::malformed) > 0u);
    BOOST_TEST(fail_each_with_new_gate({}, user, authentication_outcome::admitted) > 5u);
    fail_each_with_new_gate({}, stranger, authentication_outcome::missing);
}

BOOST_AUTO_TEST_CASE(a_reload_that_has_no_memory_changes_nothing)
{
    const authentication found = show("good");
    file.write(text_with("n"));
    bool is_read = false;
    const std::size_t count = fail_each_in([&] {
        if (is_read)
            return;
        try {
            tested.reload();
            is_read = true;
        } catch (const std::exception&) {
        }
        const partyline::test::unharmed scope;
        const authentication now_found = show("good");
        BOOST_TEST_REQUIRE(now_found.outcome == authentication_outcome::admitted);
        const char* const method = is_read ? "n" : "m";
        BOOST_TEST_REQUIRE(now_found.grant->view->judge(method, {}).is == access_answer::allowed);
    });
    BOOST_TEST(count > 50u);
}

BOOST_AUTO_TEST_CASE(a_grant_that_is_looked_at_again_is_the_same_or_unavailable)
{
    for (std::size_t n = 1;; ++n) {
        const authentication found = show("good");
        reload(text_with(n % 2 == 0 ? "m" : "n"));
        std::size_t failed = 0;
        authentication renewed;
        {
            const armed_allocations armed({.fails_at = n});
            renewed = tested.renew(found.grant, now);
            failed = armed.failed();
        }
        if (renewed.outcome != authentication_outcome::unavailable)
            BOOST_TEST_REQUIRE(renewed.outcome == authentication_outcome::admitted);
        BOOST_TEST_REQUIRE(tested.renew(found.grant, now).outcome == authentication_outcome::admitted);
        if (failed == 0)
            break;
    }
}

BOOST_AUTO_TEST_SUITE_END()
