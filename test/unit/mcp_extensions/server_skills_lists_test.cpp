// Lists of a server's skills: their pages, and for whom and how long they are good.

#include "served_skills.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp/testing/test_client.hpp>
#include <partyline/mcp_extensions/server_skills.hpp>
#include <partyline/session/access_view.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace skills_test;
using kit::contains;

namespace {

struct everything_is_allowed final : partyline::access_view {
    partyline::access_verdict judge(std::string_view, std::string_view) const noexcept override { return {}; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(server_skills_lists, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(lists_have_pages_and_a_lifetime)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server, {.page_size = 2, .lifetime = std::chrono::seconds(3), .are_public = true});
    for (const char* const name : {"c", "a", "b"})
        add_skill(skills, name);
    mcp::test_client client(server, mcp::era::modern);
    const json::value first = ask_skills(client, "skills/list");
    BOOST_TEST(first.at("skills").as_array().size() == 2u);
    BOOST_TEST(first.at("ttlMs") == json::value(3000));
    BOOST_TEST(first.at("cacheScope") == json::value("public"));
    const json::value second = ask_skills(client, "skills/list", json::object{{"cursor", first.at("nextCursor")}});
    BOOST_TEST(second.at("skills").at(0).at("uri") == json::value("skill://c/SKILL.md"));
    BOOST_TEST(!second.as_object().contains("nextCursor"));
}

BOOST_AUTO_TEST_CASE(pages_are_bounded_unless_told_otherwise)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server);
    for (int i = 0; i != 51; ++i)
        add_skill(skills, "s" + std::to_string(i));
    mcp::test_client client(server, mcp::era::modern);
    const json::value first = ask_skills(client, "skills/list");
    BOOST_TEST(first.at("skills").as_array().size() == 50u);
    BOOST_TEST(first.at("cacheScope") == json::value("private"));
    const json::value last = ask_skills(client, "skills/list", json::object{{"cursor", first.at("nextCursor")}});
    BOOST_TEST(last.at("skills").as_array().size() == 1u);
}

// What one peer may see is not for others to have, who may see less.
BOOST_AUTO_TEST_CASE(nothing_is_public_that_was_given_by_rights)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server, {.are_public = true});
    mcp::test_client_options options;
    options.server.access = std::make_shared<everything_is_allowed>();
    mcp::test_client client(server, mcp::era::modern, options);
    BOOST_TEST(ask_skills(client, "skills/list").at("cacheScope") == json::value("private"));
}

BOOST_AUTO_TEST_CASE(a_lifetime_is_not_negative)
{
    mcp::server server("skills", "1");
    const auto add = [&](int ms) { mcp::server_skills(server, {.lifetime = std::chrono::milliseconds(ms)}); };
    BOOST_TEST(contains(kit::thrown_by<std::invalid_argument>([&] { add(-1); }), "lifetime is -1 ms"));
    BOOST_CHECK_NO_THROW(add(0)); // and it left nothing behind
}

BOOST_AUTO_TEST_SUITE_END()
