#include "read_body.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>

using namespace partyline::test;
using partyline::http::body_kind;
using partyline::http::body_reader;

BOOST_AUTO_TEST_SUITE(http_body_limits, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(all_chunks_together_keep_to_the_limit)
{
    BOOST_TEST(read_chunks("2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n", 5) == done_body("abcde", 20));
    const std::string too_much = "2\r\nab\r\n4\r\n";
    BOOST_TEST(read_chunks(too_much + "cdef\r\n0\r\n\r\n", 5) == refused_body(413, "ab", too_much.size()));
    BOOST_TEST(read_chunks("1\r\na\r\n0\r\n\r\n", 0) == refused_body(413, "", 3));
    BOOST_TEST(read_chunks("0\r\n\r\n", 0) == done_body("", 5));
}

BOOST_AUTO_TEST_CASE(a_size_of_any_length_is_either_right_or_refused)
{
    const auto status = [](const std::string& size, std::size_t most = std::size_t(1) << 20) {
        return read_chunks(size + "\r\n", most).status;
    };
    const std::size_t any = ~std::size_t(0);
    BOOST_TEST(status("0000000000000001") == 0);
    BOOST_TEST(status("00000000000000001") == 400);
    BOOST_TEST(status("7fffffffffffffff") == 413);
    BOOST_TEST(status("7fffffffffffffff", any) == 0);
    BOOST_TEST(status("8000000000000000", any) == 400);
    BOOST_TEST(status("ffffffffffffffff", any) == 400);
    BOOST_TEST(status("10000000000000001", any) == 400);
    BOOST_TEST(status("2\r\nab\r\n7fffffffffffffff", any) == 0);
    BOOST_TEST(status("2\r\nab\r\n7fffffffffffffff", any / 2) == 413); // the sum is too much
}

BOOST_AUTO_TEST_CASE(all_extensions_together_are_bounded)
{
    constexpr std::size_t most = 256; // behind the semicolon, with the byte that ends each
    const auto chunk = [](std::size_t bytes) { return "1;" + std::string(bytes - 1, 'a') + "\r\nx\r\n"; };
    BOOST_TEST((read_chunks(chunk(most) + "0\r\n\r\n").how == body_reader::state::done));
    BOOST_TEST((read_chunks(chunk(most - 2) + "0;b\r\n\r\n").how == body_reader::state::done));
    const body_outcome refused = read_chunks("1;" + std::string(5000, 'a'));
    BOOST_TEST(refused == refused_body(400, "", 2 + most + 1));
    BOOST_TEST(read_chunks(chunk(most - 1) + "0;b\r\n\r\n").status == 400);
    std::string many;
    for (std::size_t i = 0; i < most / 2; ++i)
        many += "1;a\r\nx\r\n";
    BOOST_TEST((read_chunks(many + "0\r\n\r\n").how == body_reader::state::done));
    BOOST_TEST(read_chunks(many + "1;a\r\nx\r\n0\r\n\r\n").status == 400);
}

BOOST_AUTO_TEST_CASE(all_trailers_together_are_bounded)
{
    constexpr std::size_t most = 4096; // with their line ends, and the CR of the last line
    const auto trailer = [](std::size_t bytes) { return "X:" + std::string(bytes - 4, 'a') + "\r\n"; };
    BOOST_TEST((read_chunks("0\r\n" + trailer(most - 1) + "\r\n").how == body_reader::state::done));
    BOOST_TEST((read_chunks("0\r\n" + trailer(most - 11) + trailer(10) + "\r\n").how == body_reader::state::done));
    BOOST_TEST(read_chunks("0\r\n" + trailer(most) + "\r\n").status == 431);
    BOOST_TEST(read_chunks("0\r\n" + trailer(most - 10) + trailer(10) + "\r\n").status == 431);
    for (const std::string& endless : {std::string(9000, 'a'), "X:" + std::string(9000, ' ')})
        BOOST_TEST(read_chunks("0\r\n" + endless) == refused_body(431, "", 3 + most + 1));
}

BOOST_AUTO_TEST_CASE(memory_grows_with_what_has_come)
{
    body_reader reader(std::size_t(1) << 40);
    std::string body;
    std::size_t used = 0;
    reader.start(head_of(body_kind::length, std::uint64_t(1) << 40));
    reader.read("a", used, body);
    reader.start(head_of(body_kind::chunked));
    reader.read("fffffffff\r\nbc", used, body);
    BOOST_TEST(body == "abc"); // behind what was there
    BOOST_TEST(body.capacity() < 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
