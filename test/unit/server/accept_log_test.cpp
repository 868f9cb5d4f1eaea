#include "server/accept_log.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
using namespace partyline;

BOOST_AUTO_TEST_SUITE(accept_log_suite)

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(whatever_repeats_is_told_once)
{
    std::vector<std::string> lines;
    const accept_log::line_writer write = [&](std::string_view line) { lines.emplace_back(line); };
    accept_log log(write);
    for (int i = 0; i != 100; ++i) {
        log.refused({asio::ip::address_v4::loopback(), 1});
        for (const errc why :
             {errc::http_request, errc::no_message, errc::bad_frame, errc::write_stalled, errc::access_ended})
            log.session_ended(why);
        log.session_ended(error_code(asio::error::timed_out));
        try {
            throw std::runtime_error("no");
        } catch (...) {
            log.hook_threw();
        }
    }
    BOOST_TEST(lines.size() == 7u);
}

BOOST_AUTO_TEST_CASE(an_end_like_others_is_told_never)
{
    std::vector<std::string> lines;
    const accept_log::line_writer write = [&](std::string_view line) { lines.emplace_back(line); };
    accept_log log(write);
    for (const error_code& why : {error_code(), error_code(errc::peer_gone), error_code(errc::idle)})
        log.session_ended(why);
    BOOST_TEST(lines.empty());
}

BOOST_AUTO_TEST_SUITE_END()
