#include "http/wire/event_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std::literals;
using partyline::http::event_reader;
using partyline::http::server_event;

namespace {

constexpr std::size_t enough = 1000;

std::vector<std::string> read_events(event_reader& reader, const std::vector<std::string_view>& pieces)
{
    std::vector<std::string> events;
    for (const std::string_view piece : pieces) {
        reader.feed(piece);
        while (std::optional<server_event> one = reader.next())
            events.push_back(one->type == "message" ? one->data : one->type + '|' + one->data);
    }
    return events;
}

struct outcome {
    std::vector<std::string> events;
    std::string last_id;
    std::optional<std::chrono::milliseconds> retry;

    bool operator==(const outcome&) const = default;
};

outcome read_pieces(const std::vector<std::string_view>& pieces)
{
    event_reader reader(enough);
    std::vector<std::string> events = read_events(reader, pieces);
    return {std::move(events), reader.last_id(), reader.retry()};
}

// Whole, in two pieces cut everywhere, and byte by byte.
outcome read_cut(std::string_view text)
{
    const outcome whole = read_pieces({text});
    std::vector<std::string_view> single;
    for (std::size_t cut = 0; cut < text.size(); ++cut) {
        BOOST_TEST((read_pieces({text.substr(0, cut), text.substr(cut)}) == whole), "cut at " << cut);
        single.push_back(text.substr(cut, 1));
    }
    BOOST_TEST((read_pieces(single) == whole), "byte by byte");
    return whole;
}

using texts = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(http_event_reader, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(events_are_read_however_their_lines_end_and_bytes_come)
{
    const outcome came = read_cut(
        "\xef\xbb\xbf: hello\ndata: 1\n\ndata:2\r\ndata: 3\r\n\r\nid: a\nevent: x\rdata: 4\r\rretry: 500\nid\n\n"
        "nonsense\ndata\n\ndata:  5 \n\nx");
    BOOST_TEST((came.events == texts{"1", "2\n3", "x|4", " 5 "}));
    BOOST_TEST(came.last_id.empty()); // the last id was an empty one
    BOOST_TEST((came.retry == 500ms));
}

BOOST_AUTO_TEST_CASE(line_ends_of_each_kind_end_lines)
{
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        const outcome came =
            read_cut("data: a" + end + "data: b" + end + end + end + "data" + end + "data" + end + end);
        BOOST_TEST((came.events == texts{"a\nb", "\n"}));
    }
    BOOST_TEST((read_cut("data: a\n\r\n").events == texts{"a"}));
    BOOST_TEST((read_cut("data: a\r\n\r").events == texts{"a"})); // at once, though a LF may follow
    BOOST_TEST((read_cut("data: a\r\n\r\ndata: b\n\r\n").events == texts{"a", "b"}));
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_skipped_where_the_stream_begins_and_nowhere_else)
{
    BOOST_TEST((read_cut("\xef\xbb\xbf"
                         "data: a\n\n")
                    .events == texts{"a"}));
    BOOST_TEST((read_cut("\xef\xbb\xbf\xef\xbb\xbf"
                         "data: a\n\n")
                    .events.empty()));
    BOOST_TEST((read_cut("data: a\n\n\xef\xbb\xbf"
                         "data: b\n\n")
                    .events == texts{"a"}));
    BOOST_TEST((read_cut("\xef\xbb"
                         "data: a\n\n")
                    .events.empty()));
}

BOOST_AUTO_TEST_CASE(comments_and_unknown_fields_say_nothing)
{
    BOOST_TEST(
        (read_cut(":\n: x\n:data: y\n\ndata : a\nDATA: b\ndatas: c\nx\n\ndata: d\n: e\n\n").events == texts{"d"}));
}

BOOST_AUTO_TEST_CASE(an_event_has_the_type_that_was_told_last_for_it)
{
    BOOST_TEST((read_cut("event: x\nevent: y\ndata: 1\n\ndata: 2\n\nevent: z\n\ndata: 3\n\n").events ==
                texts{"y|1", "2", "3"}));
}

BOOST_AUTO_TEST_CASE(what_stands_behind_the_last_event_is_none)
{
    for (const char* text : {"data: a", "data: a\n", "data: a\r", "data: a\r\n"})
        BOOST_TEST(read_cut(text).events.empty(), text);
    const outcome came = read_cut("id: 1\ndata: a\n\nid: 2\ndata: b\n");
    BOOST_TEST((came.events == texts{"a"}));
    BOOST_TEST(came.last_id == "1");
}

BOOST_AUTO_TEST_CASE(an_id_stays_until_the_next_one)
{
    BOOST_TEST(read_cut("id: 1-2\ndata: x\n\ndata: y\n\n").last_id == "1-2");
    BOOST_TEST(read_cut("id: 1\ndata: x\n\nid: 2\n\n").last_id == "2"); // of an event without data
    BOOST_TEST(read_cut("id: 1\ndata: x\n\nid: 2\ndata:\n\n").last_id == "2");
    BOOST_TEST(read_cut("id: 1\ndata: x\n\nid: 2\0\ndata: y\n\n"s).last_id == "1"); // which has a NUL
    BOOST_TEST(read_cut("id: 1\n\nid\n\n").last_id == "");
}

BOOST_AUTO_TEST_CASE(an_id_that_no_field_can_say_again_is_none)
{
    const std::string longest(1024, 'x');
    event_reader reader(5000);
    read_events(reader, {"id: " + longest + "\ndata: x\n\n"});
    BOOST_TEST(reader.last_id() == longest);
    read_events(reader, {"id: " + longest + "x\ndata: x\n\n"});
    BOOST_TEST(reader.last_id() == "");
    for (const char* id : {"a\tb", "a b", "a\x80"})
        BOOST_TEST(read_cut("id: 1\n\nid: "s + id + "\n\n").last_id == id);
    for (const char* id : {"a\x01", "a\x7f", "\x1b[2J"})
        BOOST_TEST(read_cut("id: 1\n\nid: "s + id + "\n\n").last_id == "", id);
}

BOOST_AUTO_TEST_CASE(how_soon_to_come_back_is_told_in_digits)
{
    BOOST_TEST((read_cut("retry: 0\n").retry == 0ms));
    BOOST_TEST((read_cut("retry:3000\nretry: x\n").retry == 3000ms));
    for (const char* value : {"", "-1", "+1", "1.5", "1 ", " 1", "0x1", "99999999999"})
        BOOST_TEST(!read_cut("retry: "s + value + "\n").retry, value);
}

// rule: security.memory.client
BOOST_AUTO_TEST_CASE(one_event_is_bounded_and_all_of_them_are_not)
{
    const std::string fits = "data: " + std::string(94, 'x') + "\n\n";
    for (const std::size_t at_once : {1u, 7u, 100u, 5000u}) {
        event_reader reader(100);
        std::string text;
        for (int i = 0; i < 50; ++i)
            text += fits + ": comment\n\n";
        std::vector<std::string_view> pieces;
        for (std::size_t at = 0; at < text.size(); at += at_once)
            pieces.push_back(std::string_view(text).substr(at, at_once));
        BOOST_TEST(read_events(reader, pieces).size() == 50u);
    }
    for (const std::string& text : {"data: " + std::string(95, 'x'), ": " + std::string(200, 'x')}) {
        event_reader reader(100);
        BOOST_CHECK_THROW(read_events(reader, {text}), std::length_error);
        BOOST_CHECK_THROW(read_events(reader, {"\n\n"}), std::length_error); // from then on
    }
    std::string lines;
    for (int i = 0; i < 50; ++i)
        lines += "data: xxxx\n";
    event_reader reader(100);
    BOOST_CHECK_THROW(read_events(reader, {lines}), std::length_error);
}

BOOST_AUTO_TEST_CASE(events_may_be_taken_one_for_each_piece)
{
    event_reader reader(enough);
    std::string many;
    for (int i = 0; i < 20'000; ++i)
        many += "data: x\n\n";
    reader.feed(many);
    std::size_t taken = 0;
    while (reader.next()) { // quadratic, this would take minutes
        ++taken;
        reader.feed("\n");
    }
    BOOST_TEST(taken == 20'000u);
}

BOOST_AUTO_TEST_SUITE_END()
