#include "fleet/wire/reply.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using namespace partyline::fleet;

namespace {

constexpr std::size_t max_reply_bytes = 1'000;

reply last_reply()
{
    reply one;
    one.id = {"F1", 7};
    one.run = "W1.3";
    one.number = 2;
    one.end = call_end::answered;
    one.message = "{}";
    return one;
}

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_reply_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_reply_is_a_line_and_the_message_to_the_byte)
{
    BOOST_TEST(write_reply(last_reply()) ==
               "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":2,\"end\":\"answered\"}\n{}");
    BOOST_TEST(write_cancel({"F1", 7}) == "{\"v\":1,\"id\":\"F1.7\"}\n");
}

BOOST_AUTO_TEST_CASE(what_was_written_is_read_as_it_was)
{
    for (const call_end how : {call_end::none, call_end::answered, call_end::lost, call_end::cancelled,
                               call_end::too_large, call_end::opened, call_end::full}) {
        reply one = last_reply();
        one.end = how;
        if (how != call_end::none && how != call_end::answered)
            one.message = {};
        const auto read = read_reply(write_reply(one), max_reply_bytes);
        BOOST_TEST_REQUIRE(bool(read));
        BOOST_TEST((*read.value == one));
    }
    reply silent = last_reply();
    silent.message = {};
    BOOST_TEST(bool(read_reply(write_reply(silent), max_reply_bytes)));
    BOOST_TEST((read_cancel(write_cancel({"F1", 7})).value == call_id{"F1", 7}));
}

BOOST_AUTO_TEST_CASE(other_lines_are_refused)
{
    for (const std::string_view payload :
         {"", "{}", "{}\n", "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":1}\n",
          "{\"v\":2,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":1}\nx",
          "{\"v\":1,\"id\":\"F1\",\"run\":\"W1.3\",\"n\":1}\nx", "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1\",\"n\":1}\nx",
          "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":0}\nx", "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\"}\nx",
          "{\"v\":1,\"id\":\"F1.7\",\"n\":1}\nx", "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":1,\"end\":\"\"}\nx",
          "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":1,\"end\":\"done\"}\nx",
          "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":1,\"end\":\"lost\"}\nx",
          "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":1,\"end\":\"opened\"}\nx",
          "{\"v\":1,\"id\":\"F1.7\",\"run\":\"pl.w.*\",\"n\":1}\nx",
          "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":1,\"n\":2}\nx",
          "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":1,\"x\":2}\nx"})
        BOOST_TEST(!read_reply(payload, max_reply_bytes), payload);
    reply large = last_reply();
    large.message.assign(max_reply_bytes + 1, 'x');
    BOOST_TEST(read_reply(write_reply(large), max_reply_bytes).refused == "a message that is too large");
    for (const std::string_view payload : {"", "{\"v\":1,\"id\":\"F1.7\"}", "{\"v\":1,\"id\":\"F1.7\"}\nx",
                                           "{\"v\":1,\"id\":\"F1.7\",\"n\":1}\n", "{\"v\":1}\n", "{\"id\":\"F1.7\"}\n"})
        BOOST_TEST(!read_cancel(payload), payload);
}

BOOST_AUTO_TEST_SUITE_END()
