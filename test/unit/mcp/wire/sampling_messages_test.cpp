#include "mcp/wire/sampling_messages.hpp"

#include <partyline/mcp/questions.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using mcp::revision;

namespace {

json::value messages_for(const mcp::sampling_request& wish, revision r)
{
    json::object params = mcp::detail::sampling_params(wish);
    mcp::fit_sampling_messages(params, r);
    return params.at("messages");
}

mcp::sampling_request two_blocks()
{
    mcp::sampling_request wish;
    wish.messages.push_back({mcp::role::user, {"What is this?", mcp::image_content{"x", "image/png"}}});
    wish.messages.push_back({mcp::role::assistant, {"That is"}});
    return wish;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sampling_messages)

// rule: mcp.sample.role
BOOST_AUTO_TEST_CASE(a_message_of_several_blocks_stays_one_since_there_are_such)
{
    const json::value expected = json::parse(R"([
        {"role":"user","content":[{"type":"text","text":"What is this?"},
                                  {"type":"image","data":"eA==","mimeType":"image/png"}]},
        {"role":"assistant","content":{"type":"text","text":"That is"}}])");
    for (const revision r : {revision::v2025_11_25, revision::v2026_07_28})
        BOOST_TEST(messages_for(two_blocks(), r) == expected);
}

// rule: mcp.sample.role
BOOST_AUTO_TEST_CASE(before_that_it_becomes_several_messages)
{
    const json::value expected = json::parse(R"([
        {"role":"user","content":{"type":"text","text":"What is this?"}},
        {"role":"user","content":{"type":"image","data":"eA==","mimeType":"image/png"}},
        {"role":"assistant","content":{"type":"text","text":"That is"}}])");
    for (const revision r : {revision::v2024_11_05, revision::v2025_03_26, revision::v2025_06_18})
        BOOST_TEST(messages_for(two_blocks(), r) == expected);
}

BOOST_AUTO_TEST_SUITE_END()
