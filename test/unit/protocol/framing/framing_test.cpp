#include "framing_support.hpp"
#include "unit/protocol/vectors.hpp"

#include <partyline/protocol/framing.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline;
using texts = std::vector<std::string>;

namespace {

texts framed(std::string_view stream, std::size_t piece, const limits& bounds = {})
{
    return test::framed<line_framing>(stream, piece, bounds);
}

} // namespace

BOOST_AUTO_TEST_SUITE(framing_)

// rule: mcp.stdio.delimiter
BOOST_AUTO_TEST_CASE(lines_are_messages_however_the_stream_is_cut)
{
    struct row {
        std::string stream;
        texts messages;
    };
    const std::vector<row> rows = {
        {"", {}},
        {"a\n", {"a"}},
        {"a\nbc\nd\n", {"a", "bc", "d"}},
        {"a\r\nb\r\n", {"a", "b"}},
        {"a", {"a"}},
        {"a\nb", {"a", "b"}},
        {"a\nb\r", {"a", "b"}},
        {"\n\n \t\r\n\r\na\n \n\n", {"a"}},
        {"a\n  ", {"a"}},
        {" a \n", {" a "}},
        {"a\rb\n", {"a\rb"}},
        {"a\r\r\n", {"a\r"}},
        {"\xEF\xBB\xBF"
         "a\nb\n",
         {"a", "b"}},
        {"\xEF\xBB\xBF\r\n"
         "b",
         {"b"}},
        {"\xEF\xBB\xBF", {}},
        {"\xEF\xBB", {"\xEF\xBB"}},
        {"\xEF\xBB\na\n", {"\xEF\xBB", "a"}},
        {"a\n\xEF\xBB\xBF"
         "b\n",
         {"a", "\xEF\xBB\xBF"
               "b"}},
        {"\n\xEF\xBB\xBF"
         "b\n",
         {"\xEF\xBB\xBF"
          "b"}},
        {"\xEF\xBB\xBF\xEF\xBB\xBF"
         "b\n",
         {"\xEF\xBB\xBF"
          "b"}},
        {std::string("a\0b\nc\n", 6), {std::string("a\0b", 3), "c"}},
    };
    for (const row& r : rows)
        for (std::size_t piece = 1; piece <= r.stream.size() + 1; ++piece)
            BOOST_TEST_CONTEXT("pieces of " << piece << ": " << r.stream)
    BOOST_TEST(framed(r.stream, piece) == r.messages, boost::test_tools::per_element());
}

// rule: jsonrpc.examples
BOOST_AUTO_TEST_CASE(the_examples_of_the_specification_survive_a_cut_at_every_byte)
{
    std::string stream;
    texts expected;
    for (const test::vector& v : test::vectors) {
        stream += std::string(v.text) + (expected.size() % 2 ? "\r\n" : "\n");
        expected.emplace_back(v.text);
    }
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        line_framing lines{limits()};
        test::framing_driver driver(lines);
        driver.feed(std::string_view(stream).substr(0, cut));
        driver.feed(std::string_view(stream).substr(cut));
        BOOST_TEST_REQUIRE(driver.messages() == expected, "cut at " << cut);
    }
    BOOST_TEST(framed(stream, 1) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(long_lines_grow_the_room_and_short_ones_follow)
{
    std::string stream;
    texts expected;
    for (const std::size_t size : {1u, 8'191u, 32'768u, 65'536u, 100'000u, 3u, 3'000'000u, 5u}) {
        expected.emplace_back(size, 'x');
        stream += expected.back() + '\n';
    }
    for (const std::size_t piece : {4'096u, 16'384u, 1'000'000u, 10'000'000u})
        BOOST_TEST_CONTEXT(piece)
    BOOST_TEST((framed(stream, piece) == expected));
}

BOOST_AUTO_TEST_CASE(room_is_64_KiB_and_doubles_with_a_pending_message)
{
    line_framing lines{limits()};
    const std::size_t read_size = 64 * 1024;
    const auto feed = [&](std::size_t count) {
        const std::span<char> room = lines.prepare();
        BOOST_REQUIRE(room.size() >= count);
        std::memset(room.data(), 'x', count);
        lines.commit(count);
        frame out;
        BOOST_TEST(!lines.next(out));
    };
    BOOST_TEST(lines.prepare().size() == read_size);
    feed(30'000);
    BOOST_TEST(lines.prepare().size() == read_size);
    feed(read_size);
    BOOST_TEST(lines.prepare().size() == 30'000 + read_size);
    feed(30'000 + read_size);
    BOOST_TEST(lines.prepare().size() == 2 * (30'000 + read_size));
}

// rule: mcp.stdio.delimiter
BOOST_AUTO_TEST_CASE(a_message_ends_in_a_line_break)
{
    line_framing lines{limits()};
    byte_buffer out;
    for (const std::string_view text : {"{}", "[]"}) {
        lines.begin_message(out);
        out.append(text);
        lines.end_message(out);
    }
    BOOST_TEST(out.view() == "{}\n[]\n");
}

BOOST_AUTO_TEST_SUITE_END()
