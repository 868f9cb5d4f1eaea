#include "support/sanitized.hpp"
#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <fcntl.h>

using namespace partyline::test;

namespace {

constexpr int request_count = is_sanitized ? 20'000 : 200'000;

std::string reply(std::string_view number)
{
    return R"({"jsonrpc":"2.0","id":)" + std::string(number) + R"(,"result":{"n":)" + std::string(number) + "}}";
}

void write_requests(const std::filesystem::path& path)
{
    std::string text;
    for (int i = 0; i < request_count; ++i) {
        const std::string n = std::to_string(i);
        text += R"({"jsonrpc":"2.0","id":)" + n + R"(,"method":"echo","params":{"n":)" + n + "}}\n";
    }
    write_file(path, text);
}

// Every request is answered once and with its own params, in whatever order.
void check_replies(std::string_view text)
{
    std::vector<bool> seen(request_count);
    int lines = 0;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        constexpr std::size_t head = std::string_view(R"({"jsonrpc":"2.0","id":)").size();
        const std::string_view number = line.substr(std::min(head, line.size()), line.find(',', head) - head);
        if (line != reply(number))
            BOOST_FAIL("not a reply: " << line);
        std::vector<bool>::reference mark = seen.at(std::stoul(std::string(number)));
        if (mark)
            BOOST_FAIL("a second reply: " << line);
        mark = true;
        ++lines;
    }
    BOOST_TEST(lines == request_count);
}

} // namespace

BOOST_AUTO_TEST_SUITE(volume, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_long_file_of_requests_comes_back_as_a_file_of_replies)
{
    scratch_directory scratch;
    write_requests(scratch / "requests");
    wire ends;
    ends.server_in = open_file(scratch / "requests", O_RDONLY);
    ends.server_out = open_file(scratch / "replies", O_WRONLY | O_CREAT);
    echo_server s({}, std::move(ends));
    BOOST_TEST(s.wait_exit() == 0);
    check_replies(read_file(scratch / "replies"));
}

BOOST_AUTO_TEST_CASE(a_long_file_of_requests_comes_back_through_a_pipe)
{
    scratch_directory scratch;
    write_requests(scratch / "requests");
    wire ends = pipe_wire();
    ends.server_in = open_file(scratch / "requests", O_RDONLY);
    ends.to_server.reset();
    echo_server s({}, std::move(ends));
    s.output().wait_readable();
    check_replies(s.output().read_rest());
    BOOST_TEST(s.wait_exit() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
