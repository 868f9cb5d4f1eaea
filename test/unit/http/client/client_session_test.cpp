#include "http/client/client_session.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using partyline::limits;
using partyline::message_reader;
using partyline::http::client_session;

BOOST_AUTO_TEST_SUITE(http_client_session)

BOOST_AUTO_TEST_CASE(has_begun_with_a_revision_that_a_field_of_each_request_has_room_for)
{
    const auto begins_by = [](const std::string& revision) {
        client_session session;
        message_reader reader{limits()};
        const std::string reply = R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" + revision + "\"}}";
        const bool begins = session.note_reply(reader, reply);
        BOOST_TEST(begins == session.has_begun());
        BOOST_TEST(session.fields().empty() != session.has_begun());
        return session.has_begun();
    };
    BOOST_TEST(begins_by("2025-11-25"));
    BOOST_TEST(begins_by(std::string(64, 'x')));
    BOOST_TEST(!begins_by(std::string(65, 'x')));
    BOOST_TEST(!begins_by(std::string(1 << 20, 'x')));
    BOOST_TEST(!begins_by(""));
}

BOOST_AUTO_TEST_SUITE_END()
