#include "framing_support.hpp"

#include <partyline/protocol/framing.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline;
using texts = std::vector<std::string>;

namespace {

limits message_limit(std::size_t bytes)
{
    limits bounds;
    bounds.message_bytes = bytes;
    return bounds;
}

} // namespace

BOOST_AUTO_TEST_SUITE(framing_limits)

BOOST_AUTO_TEST_CASE(lines_over_the_limit_are_discarded_and_described_however_the_stream_is_cut)
{
    const std::string pad(20, 'p');
    struct row {
        std::string stream;
        texts messages;
    };
    const std::vector<row> rows = {
        {"1234567890\n", {"1234567890"}},
        {"1234567890\r\n", {"1234567890"}},
        {"1234567890", {"1234567890"}},
        {"1234567890\r", {"1234567890"}},
        {"12345678901\nok\n", {"oversize 11 ", "ok"}},
        {"12345678901\r\nok\n", {"oversize 11 ", "ok"}},
        {"123456789\r\r\nok\n", {"123456789\r", "ok"}},
        {"1234567890\r\r\nok\n", {"oversize 11 ", "ok"}},
        {"12345678901", {"oversize 11 "}},
        {"12345678901\r", {"oversize 11 "}},
        {"ok\n12345678901\n\nok\n12345678901\n", {"ok", "oversize 11 ", "ok", "oversize 11 "}},
        {R"({"pad":")" + pad +
             R"(","id":7})"
             "\nok",
         {"oversize 37 7", "ok"}},
        {R"({"id":"a","result":")" + pad +
             R"("})"
             "\r\nok",
         {R"(oversize 42 "a" response)", "ok"}},
        {R"({"id":1,"result":")" + pad +
             R"(","method":1})"
             "\nok",
         {"oversize 51 1", "ok"}},
        {"\xEF\xBB\xBF"
         "1234567890\n",
         {"1234567890"}},
        {"\xEF\xBB\xBF"
         R"({"id":1,"pad":0})"
         "\n",
         {"oversize 16 1"}},
        {std::string(40, ' ') + "\nok\n", {"ok"}},
        {std::string(40, ' ') + "\r\nok", {"ok"}},
        {std::string(40, ' '), {}},
        {"12345678901\n12", {"oversize 11 ", "12"}},
    };
    for (const row& r : rows)
        for (std::size_t piece = 1; piece <= r.stream.size() + 1; ++piece)
            BOOST_TEST_CONTEXT("pieces of " << piece << ": " << r.stream)
            {
                line_framing lines(message_limit(10));
                test::framing_driver driver(lines);
                for (std::size_t at = 0; at < r.stream.size(); at += piece)
                    driver.feed(std::string_view(r.stream).substr(at, piece));
                driver.finish();
                BOOST_TEST(driver.messages() == r.messages, boost::test_tools::per_element());
            }
}

BOOST_AUTO_TEST_CASE(room_stays_within_the_limit_and_one_read)
{
    const std::size_t limit = 100'000, read_size = 64 * 1024;
    line_framing lines(message_limit(limit));
    std::size_t pending = 0, total = 0;
    frame out;
    while (total < 10 * limit) {
        const std::span<char> room = lines.prepare();
        BOOST_TEST_REQUIRE(room.size() >= read_size);
        BOOST_TEST_REQUIRE(pending + room.size() <= limit + 2 + read_size);
        std::memset(room.data(), 'x', room.size());
        lines.commit(room.size());
        BOOST_TEST_REQUIRE(!lines.next(out));
        total += room.size();
        pending = total > limit + 1 ? 0 : total;
    }
    lines.prepare()[0] = '\n';
    lines.commit(1);
    BOOST_TEST(lines.next(out));
    BOOST_TEST(out.is_oversize);
    BOOST_TEST(out.size == total);
    BOOST_TEST(out.text.empty());
}

BOOST_AUTO_TEST_CASE(a_line_of_just_the_limit_is_taken_whatever_the_limit)
{
    for (const std::size_t limit : {1u, 2u, 32'768u, 65'536u, 65'538u, 200'000u}) {
        const std::string fits(limit, 'x');
        line_framing lines(message_limit(limit));
        test::framing_driver driver(lines);
        driver.feed(fits + "\n" + fits + "\r\n" + fits + "y\n" + fits);
        driver.finish();
        const texts expected = {fits, fits, "oversize " + std::to_string(limit + 1) + ' ', fits};
        BOOST_TEST((driver.messages() == expected), "limit " << limit);
    }
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_longer_than_the_limit_is_skipped_however_it_is_cut)
{
    const std::string stream = "\xEF\xBB\xBF"
                               "\nxy\n";
    for (std::size_t limit : {0u, 1u})
        for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
            line_framing lines(message_limit(limit));
            test::framing_driver driver(lines);
            for (std::size_t at = 0; at < stream.size(); at += piece)
                driver.feed(std::string_view(stream).substr(at, piece));
            driver.finish();
            BOOST_TEST((driver.messages() == texts{"oversize 2 "}), "limit " << limit << ", pieces of " << piece);
        }
}

BOOST_AUTO_TEST_CASE(the_return_that_ends_a_discarded_line_is_no_part_of_it)
{
    // An id that is cut off may be the beginning of another one: it is not used, whichever way the line ends.
    const std::string line = R"({"id":12)";
    for (const char* end : {"\n", "\r\n", "", "\r"})
        for (std::size_t piece = 1; piece <= line.size() + 2; ++piece) {
            const std::string stream = line + end;
            line_framing lines(message_limit(3));
            test::framing_driver driver(lines);
            for (std::size_t at = 0; at < stream.size(); at += piece)
                driver.feed(std::string_view(stream).substr(at, piece));
            driver.finish();
            BOOST_TEST((driver.messages() == texts{"oversize 8 "}), "pieces of " << piece << " of " << stream);
        }
}

BOOST_AUTO_TEST_CASE(a_message_that_is_given_up_is_told_as_an_oversize_one_and_the_next_is_whole)
{
    line_framing lines{limits()};
    test::framing_driver by_line(lines);
    by_line.feed(R"({"pad":"xxxx)");
    BOOST_TEST(lines.pending() == 12u);
    lines.give_up_pending();
    BOOST_TEST(lines.pending() == 0u);
    by_line.feed("xx\",\"id\":7}\nok\n");
    BOOST_TEST(by_line.messages() == (texts{"oversize 23 7", "ok"}), boost::test_tools::per_element());

    content_length_framing headers{limits()};
    test::framing_driver by_header(headers);
    by_header.feed("Content-Length: 23\r\n\r\n"
                   R"({"pad":"xxxx)");
    headers.give_up_pending();
    by_header.feed("xx\",\"id\":7}Content-Length: 2\r\n\r\nok");
    BOOST_TEST(by_header.messages() == (texts{"oversize 23 7", "ok"}), boost::test_tools::per_element());
}

// A read may be under way when others make the session look at its memory.
BOOST_AUTO_TEST_CASE(a_message_is_under_way_from_its_first_byte_to_its_last)
{
    const auto places = [](framing& under_test, std::string_view stream) {
        test::framing_driver driver(under_test);
        std::string within;
        for (const char c : stream) {
            driver.feed({&c, 1});
            within += under_test.is_within_message() ? 'x' : '.';
        }
        return within;
    };
    line_framing lines(message_limit(4));
    BOOST_TEST(places(lines, "1\n \t\r\n[]\r\n{\"long\": 1}\n\n2\n") == "x.....xxx.xxxxxxxxxxx..x.");
    content_length_framing headers(message_limit(4));
    const std::string usual = "Content-Length: 2\r\n\r\n[]";
    const std::string too_long = "Content-Length: 9\r\n\r\n[1,2,3,4]";
    const std::string unusual = "content-length:1\r\n\r\n1";
    for (const std::string& text : {usual, too_long, unusual})
        BOOST_TEST(places(headers, text) == std::string(text.size() - 1, 'x') + '.');
}

BOOST_AUTO_TEST_CASE(memory_that_is_being_read_to_is_not_given_back)
{
    line_framing lines{limits()};
    std::span<char> room = lines.prepare();
    const std::string piece(room.size(), 'x');
    piece.copy(room.data(), piece.size());
    lines.commit(piece.size());
    frame none;
    BOOST_TEST(!lines.next(none));
    room = lines.prepare();
    lines.release_memory();
    piece.copy(room.data(), piece.size() - 1);
    room[piece.size() - 1] = '\n';
    lines.commit(piece.size());
    frame whole;
    BOOST_TEST_REQUIRE(lines.next(whole));
    BOOST_TEST(whole.text.size() == 2 * piece.size() - 1);
    BOOST_TEST(whole.text.find_first_not_of('x') == whole.text.npos);
}

BOOST_AUTO_TEST_SUITE_END()
