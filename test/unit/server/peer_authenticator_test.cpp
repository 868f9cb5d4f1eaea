#include "server/peer_authenticator.hpp"
#include "support/fake_access.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace asio = boost::asio;
using namespace partyline;
using partyline::test::fake_access;

namespace {

struct authenticator_fixture {
    authenticator_fixture() { access->refuse({}, authentication_outcome::missing); }

    const std::shared_ptr<fake_access> access = std::make_shared<fake_access>();
    std::vector<std::string> lines;
    const peer_authenticator::line_writer log = [this](std::string_view line) { lines.emplace_back(line); };
    peer_authenticator authenticator{access, log};
};

peer_identity peer_at(asio::ip::address from)
{
    peer_identity peer;
    peer.address = {std::move(from), 1};
    return peer;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(peer_authenticator_suite, authenticator_fixture)

BOOST_AUTO_TEST_CASE(an_admitted_peer_has_its_grant_and_no_line)
{
    const auto grant = access->admit_others();
    BOOST_TEST((authenticator.authenticate(peer_at(asio::ip::address_v4::loopback())) == grant));
    BOOST_TEST(lines.empty());
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(refusals_that_repeat_are_told_once)
{
    for (int i = 0; i != 100; ++i)
        BOOST_TEST(!authenticator.authenticate(peer_at(asio::ip::address_v4::loopback())));
    BOOST_REQUIRE(lines.size() == 1u);
    BOOST_TEST(lines[0] == "refused a connection from 127.0.0.1: it has shown no credentials");
}

BOOST_AUTO_TEST_CASE(a_refused_user_is_named)
{
    peer_identity peer;
    peer.local = peer_identity::credentials{1, 1000, 1000};
    BOOST_TEST(!authenticator.authenticate(peer));
    BOOST_REQUIRE(lines.size() == 1u);
    BOOST_TEST(lines[0] == "refused a connection of the user 1000: it has shown no credentials");
}

BOOST_AUTO_TEST_SUITE_END()
