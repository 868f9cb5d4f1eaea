#include "gateway/event_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <vector>

using gateway::event_reader;

namespace {

std::vector<std::string> read(event_reader& reader, std::string_view text, std::size_t at_once)
{
    std::vector<std::string> events;
    for (std::size_t at = 0; at < text.size(); at += at_once) {
        reader.feed(text.substr(at, at_once));
        while (std::optional<std::string> one = reader.next())
            events.push_back(std::move(*one));
    }
    return events;
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_event_reader)

BOOST_AUTO_TEST_CASE(events_are_read_however_their_lines_end_and_bytes_come)
{
    const std::string text =
        "\xef\xbb\xbf: hello\ndata: 1\n\ndata:2\r\ndata: 3\r\n\r\nid: a\nevent: x\rdata: 4\r\rretry: 500\nid\n\n"
        "nonsense\ndata\n\ndata: 5\n\nx";
    const std::vector<std::string> expected{"1", "2\n3", "4", "5"};
    for (std::size_t at_once = 1; at_once <= text.size(); ++at_once) {
        event_reader reader(1000);
        BOOST_TEST(read(reader, text, at_once) == expected, boost::test_tools::per_element());
        BOOST_TEST(reader.last_id().empty()); // the last id was an empty one
        BOOST_TEST((reader.retry() == std::chrono::milliseconds(500)));
    }
}

BOOST_AUTO_TEST_CASE(an_id_stays_until_the_next_one)
{
    event_reader reader(1000);
    read(reader, "id: 1-2\ndata: x\n\ndata: y\n\n", 100);
    BOOST_TEST(reader.last_id() == "1-2");
    read(reader, "id: 1-3\n", 100); // its event is not complete
    BOOST_TEST(reader.last_id() == "1-2");
}

BOOST_AUTO_TEST_CASE(events_are_bounded)
{
    event_reader reader(100);
    BOOST_CHECK_THROW(read(reader, "data: " + std::string(200, 'x'), 10), std::length_error);
    event_reader lines(100);
    BOOST_CHECK_THROW(read(
                          lines,
                          [] {
                              std::string all;
                              for (int i = 0; i < 50; ++i)
                                  all += "data: xxxx\n";
                              return all;
                          }(),
                          11),
                      std::length_error);
}

BOOST_AUTO_TEST_SUITE_END()
