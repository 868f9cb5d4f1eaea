// exception_text, exception_details: what users see of an exception.

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/exception_text.hpp>

#include <boost/assert/source_location.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace partyline;
using boost::system::system_error;

BOOST_AUTO_TEST_SUITE(an_exception_text)

BOOST_AUTO_TEST_CASE(has_no_place_in_a_library)
{
    static constexpr boost::source_location place("/usr/include/boost/asio/x.hpp", 7, "void asio::x()", 1);
    error_code failed;
    failed.assign(ECONNREFUSED, boost::system::system_category(), &place);
    const system_error bare(failed);
    BOOST_TEST_REQUIRE(std::string(bare.what()).find("/boost/") != std::string::npos);
    BOOST_TEST(exception_text(bare) == "Connection refused");
    BOOST_TEST(exception_details(bare) == "");
    const system_error told(failed, "can not connect to 127.0.0.1:1");
    BOOST_TEST(exception_text(told) == "can not connect to 127.0.0.1:1: Connection refused");
    BOOST_TEST(exception_details(told) == "can not connect to 127.0.0.1:1");
    BOOST_TEST(exception_text(system_error(errc::timeout)) == make_error_code(errc::timeout).message());
}

BOOST_AUTO_TEST_CASE(is_what_any_other_exception_says)
{
    struct own_words final : system_error {
        own_words() : system_error(errc::timeout) {}
        const char* what() const noexcept override { return "own"; }
    };
    BOOST_TEST(exception_text(std::runtime_error("a: b [c]")) == "a: b [c]");
    BOOST_TEST(exception_text(own_words()) == "own");
    BOOST_TEST(exception_details(own_words()) == "own");
}

BOOST_AUTO_TEST_SUITE_END()
