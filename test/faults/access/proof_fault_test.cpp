// Proofs are made and checked while one allocation fails, each in turn: OpenSSL's and ours. No proof is valid by that,
// none that is valid once is valid twice, and afterwards all is as it was.

#include "faults/allocation_faults.hpp"
#include "unit/access/gate_fixture.hpp"
#include "unit/access/proof/proof_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <new>
#include <string>

using namespace partyline::access;
using partyline::test::armed_allocations;

namespace {

constexpr const char* params = R"({"a-name-that-is-on-the-heap":[1,2,{"b":"a-text-that-is-on-the-heap","a":null}]})";

struct proofs : proof_fixture {
    std::string made() const { return make_proof(private_key_of(secret_jwk), "add", *digest_of_params(params), now); }
    // "none" where it has thrown.
    std::string judged(const std::string& text)
    {
        try {
            return judge("add", text);
        } catch (const std::bad_alloc&) {
            return "none";
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(proof_fault_suite, proofs, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_proof_that_there_is_no_memory_for_is_not_made)
{
    const private_key key = private_key_of(make_key("agent-7").private_jwk);
    const token_digest digest = digest_of_params(params).value();
    make_proof(key, "add", digest, now);
    for (std::size_t n = 1;; ++n) {
        std::string found;
        std::size_t failed = 0;
        {
            const armed_allocations armed({.fails_at = n});
            try {
                found = make_proof(key, "add", digest, now);
            } catch (const std::bad_alloc&) {
            }
            failed = armed.failed();
        }
        BOOST_TEST_REQUIRE((failed != 0 || !found.empty()));
        if (failed == 0)
            break;
    }
}

BOOST_AUTO_TEST_CASE(no_proof_is_valid_for_lack_of_memory)
{
    peer.principal = "service";
    std::string forged = signed_params(params, made());
    forged.replace(forged.find("on-the-heap"), 2, "in");
    judged(forged);
    for (std::size_t n = 1;; ++n) {
        std::size_t failed = 0;
        std::string found;
        {
            const armed_allocations armed({.fails_at = n});
            found = judged(forged);
            failed = armed.failed();
        }
        BOOST_TEST_REQUIRE(found != "valid");
        if (failed == 0)
            break;
    }
    BOOST_TEST(judged(forged) == "params");
}

BOOST_AUTO_TEST_CASE(a_proof_is_valid_once_whatever_fails)
{
    peer.principal = "service";
    judged(signed_params(params, made()));
    std::size_t count = 0;
    for (std::size_t n = 1;; ++n) {
        const std::string text = signed_params(params, made());
        std::size_t failed = 0;
        std::string found;
        {
            const armed_allocations armed({.fails_at = n});
            found = judged(text);
            failed = armed.failed();
        }
        BOOST_TEST_REQUIRE(judged(text) == (found == "valid" ? "replayed" : "valid"));
        BOOST_TEST_REQUIRE(judged(text) == "replayed");
        if (failed == 0)
            break;
        count = n;
    }
    BOOST_TEST(count > 20u);
}

BOOST_AUTO_TEST_CASE(a_file_with_signers_that_there_is_no_memory_for_is_not_read)
{
    const new_key key = make_key("agent-7");
    const gate_fixture files(R"({"anonymous":true,"signers":[{"principal":"agent-7","jwk":)" + key.public_jwk +
                             R"(}],"rules":[{"methods":["add"],"proof":true}]})");
    for (std::size_t n = 1;; ++n) {
        const armed_allocations armed({.fails_at = n});
        try {
            const gate unused(files.file.path());
        } catch (const std::exception&) {
        }
        if (armed.failed() == 0)
            break;
    }
}

BOOST_AUTO_TEST_SUITE_END()
