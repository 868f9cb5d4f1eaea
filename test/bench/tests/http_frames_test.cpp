#include "bench/driver/wire.hpp"
#include "support/wire_client/line_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

using bench::frame_of;
using bench::frame_reader;

namespace {

const std::string agreed = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";

// In pieces of so many bytes.
template <class Reader>
std::vector<std::string> read(Reader& reader, std::string_view text, std::size_t piece)
{
    bench::inbox into(bench::framing::ndjson);
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
        reader.append(text.substr(0, piece), into);
    std::vector<std::string> messages;
    for (std::size_t i = 0; i < into.size(); ++i)
        messages.emplace_back(into[i]);
    return messages;
}

// As a server sends it.
std::string frame(char first, const std::string& content)
{
    std::string made(1, first);
    if (content.size() < 126) {
        made += static_cast<char>(content.size());
    } else {
        made += static_cast<char>(content.size() < 65536 ? 126 : 127);
        for (int shift = content.size() < 65536 ? 8 : 56; shift >= 0; shift -= 8)
            made += static_cast<char>(content.size() >> shift);
    }
    return made + content;
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_frames)

BOOST_AUTO_TEST_CASE(messages_come_out_however_they_are_split)
{
    const std::string long_one(300, 'a');
    const std::string longest(70000, 'b');
    const std::string said = agreed + frame('\x81', "{}") + frame('\x89', "ping") + frame('\x01', "[1,") +
                             frame('\x8a', "") + frame('\x80', "2]\n") + frame('\x81', long_one) +
                             frame('\x81', longest);
    const std::vector<std::string> expected = {"{}", "[1,2]", long_one, longest};
    for (const std::size_t piece : {1u, 2u, 7u, 100000u}) {
        frame_reader reader;
        BOOST_TEST(!reader.is_open());
        BOOST_TEST(read(reader, said, piece) == expected, boost::test_tools::per_element());
        BOOST_TEST(reader.is_open());
        BOOST_TEST(reader.messages() == 4u);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_websocket_is_a_failure)
{
    for (const std::string& said : {std::string("HTTP/1.1 404 Not Found\r\n\r\n"),
                                    agreed + frame('\x88', "\x03\xe8"
                                                           "bye"),
                                    agreed + frame_of("{}")}) {
        frame_reader reader;
        BOOST_CHECK_THROW(read(reader, said, 1000), bench::failure);
    }
}

BOOST_AUTO_TEST_CASE(a_frame_of_a_client_is_masked_and_says_its_length)
{
    for (const std::size_t size : {0u, 125u, 126u, 65535u, 65536u}) {
        const std::string message(size, 'x');
        const std::string made = frame_of(message);
        const std::size_t head = frame('\x81', message).size() - size;
        BOOST_TEST(made.size() == head + 4 + size);
        BOOST_TEST((static_cast<unsigned char>(made[1]) & 0x80) != 0);
        if (size != 0)
            BOOST_TEST((made[head + 4] ^ made[head]) == 'x');
    }
}

BOOST_AUTO_TEST_CASE(lines_of_one_connection_come_whole)
{
    for (const std::size_t piece : {1u, 3u, 100u}) {
        wire_client::line_reader reader;
        const std::vector<std::string> expected = {"{}", "[1]"};
        BOOST_TEST(read(reader, "{}\n[1]\n{", piece) == expected, boost::test_tools::per_element());
        BOOST_TEST(reader.lines() == 2u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
