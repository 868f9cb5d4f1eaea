#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/system/result.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(error)

BOOST_AUTO_TEST_CASE(a_thrown_error_carries_code_message_and_data)
{
    const partyline::rpc_error bare(-32602, "Invalid params");
    BOOST_TEST(bare.error().code == partyline::error_codes::invalid_params);
    BOOST_TEST(bare.what() == std::string("Invalid params"));
    BOOST_TEST(!bare.error().data.has_value());
    const partyline::rpc_error with_null(1, "m", json::value(nullptr));
    BOOST_TEST(with_null.error().data.has_value());
    const partyline::rpc_error copied(partyline::error_object{7, "seven", json::value(7)});
    BOOST_TEST(copied.error().code == 7);
    BOOST_TEST((copied.error().data == json::value(7)));
}

// rule: jsonrpc.error.reserved, mcp.error.legacy_range, mcp.error.reserved, mcp.error.own
BOOST_AUTO_TEST_CASE(codes_of_our_own_are_not_among_the_reserved_ones)
{
    for (const int code : {partyline::error_codes::request_cancelled, partyline::error_codes::server_busy})
        BOOST_TEST((code < -32768 || code > -32000));
}

BOOST_AUTO_TEST_CASE(a_result_that_has_none_throws_its_error)
{
    const boost::system::result<int, partyline::rpc_error> failed(partyline::rpc_error(7, "seven"));
    const auto is_it = [](const partyline::rpc_error& thrown) { return thrown.error().code == 7; };
    BOOST_CHECK_EXCEPTION(failed.value(), partyline::rpc_error, is_it);
    const boost::system::result<int, partyline::error_object> with_object(partyline::error_object{7, "seven", {}});
    BOOST_CHECK_EXCEPTION(with_object.value(), partyline::rpc_error, is_it);
}

BOOST_AUTO_TEST_CASE(every_local_code_has_words)
{
    using partyline::errc;
    for (const errc code : {errc::already_started, errc::session_closed, errc::peer_gone, errc::drain_timeout}) {
        const partyline::error_code error = code;
        BOOST_TEST(error.category().name() == std::string("partyline"));
        BOOST_TEST(error.message().find("unknown") == std::string::npos);
    }
    BOOST_TEST(partyline::error_code(999, partyline::partyline_category()).message() == "unknown error 999");
}

// A session that was closed ends so as well where its peer has not read the rest, without any handler.
BOOST_AUTO_TEST_CASE(the_words_of_a_drain_timeout_tell_of_output_as_of_handlers)
{
    const std::string words = partyline::make_error_code(partyline::errc::drain_timeout).message();
    BOOST_TEST(words.find("handlers") != words.npos);
    BOOST_TEST(words.find("could not be sent") != words.npos);
}

BOOST_AUTO_TEST_SUITE_END()
