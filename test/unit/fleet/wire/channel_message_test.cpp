#include "fleet/wire/channel_message.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using namespace partyline::fleet;
using message_kind = channel_message::kind;

namespace {

channel_message full_piece()
{
    channel_message one;
    one.id = {"F1", 7};
    one.run = "W1.3";
    one.is = message_kind::piece;
    one.number = 4;
    one.has = 2;
    one.taken = 1;
    one.bytes = "{}\n";
    return one;
}

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_channel_message_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_piece_is_a_line_and_the_bytes)
{
    BOOST_TEST(write_channel_message(full_piece()) ==
               "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":4,\"has\":2,\"taken\":1}\n{}\n");
    channel_message end = full_piece();
    end.is = message_kind::end;
    end.has = end.taken = 0;
    end.bytes = {};
    BOOST_TEST(write_channel_message(end) == "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.3\",\"n\":4,\"is\":\"end\"}\n");
}

BOOST_AUTO_TEST_CASE(what_was_written_is_read_as_it_was)
{
    for (const message_kind is :
         {message_kind::piece, message_kind::end, message_kind::answer, message_kind::ping, message_kind::abort}) {
        channel_message one = full_piece();
        one.is = is;
        if (is != message_kind::piece)
            one.bytes = {};
        if (is != message_kind::piece && is != message_kind::end)
            one.number = 0;
        const auto read = read_channel_message(write_channel_message(one));
        BOOST_TEST_REQUIRE(bool(read));
        BOOST_TEST((*read.value == one));
    }
    channel_message any = full_piece();
    any.bytes = std::string(max_piece_bytes, '\0');
    BOOST_TEST(bool(read_channel_message(write_channel_message(any))));
}

BOOST_AUTO_TEST_CASE(others_are_refused)
{
    const std::string head = R"({"v":1,"id":"F1.7","run":"W1.3")";
    for (const std::string_view rest : {"}",
                                        ",\"n\":1}\n",
                                        "}\nx",
                                        ",\"n\":0}\nx",
                                        ",\"n\":1,\"is\":\"end\"}\nx",
                                        ",\"is\":\"end\"}\n",
                                        ",\"is\":\"piece\",\"n\":1}\nx",
                                        ",\"is\":\"\",\"n\":1}\nx",
                                        ",\"is\":1}\n",
                                        ",\"is\":\"ping\",\"n\":1}\n",
                                        ",\"is\":\"ping\"}\nx",
                                        ",\"is\":\"abort\"}\nx",
                                        ",\"is\":\"abort\",\"n\":1}\n",
                                        ",\"has\":1,\"taken\":2}\n",
                                        ",\"taken\":1}\n",
                                        ",\"has\":-1}\n",
                                        ",\"has\":1.0}\n",
                                        ",\"has\":9007199254740993}\n",
                                        ",\"has\":\"1\"}\n",
                                        ",\"n\":1,\"n\":2}\nx",
                                        ",\"x\":1}\n",
                                        ",\"run\":\"W1.4\"}\n"})
        BOOST_TEST(!read_channel_message(head + std::string(rest)), rest);
    for (const std::string_view payload :
         {"", "\n", "{}\n", "{\"v\":2,\"id\":\"F1.7\",\"run\":\"W1.3\"}\n", "{\"id\":\"F1.7\",\"run\":\"W1.3\"}\n",
          "{\"v\":1,\"id\":\"F1\",\"run\":\"W1.3\"}\n", "{\"v\":1,\"run\":\"W1.3\"}\n", "{\"v\":1,\"id\":\"F1.7\"}\n",
          "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1\"}\n", "{\"v\":1,\"id\":\"F1.7\",\"run\":\"*.3\"}\n",
          "{\"v\":1,\"id\":\"F1.7\",\"run\":\"W1.m.3\"}\n", "{\"v\":1,\"id\":\"F1.7\",\"run\":7}\n"})
        BOOST_TEST(!read_channel_message(payload), payload);
    channel_message large = full_piece();
    large.bytes.assign(max_piece_bytes + 1, 'x');
    BOOST_TEST(read_channel_message(write_channel_message(large)).refused == "a piece that is too large");
}

BOOST_AUTO_TEST_SUITE_END()
