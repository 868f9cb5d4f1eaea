// The sample server where memory is short: it may end, or refuse, but it neither hangs nor says half of something.

#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/scratch_directory.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <sys/wait.h>

using namespace partyline::test;
namespace utf = boost::unit_test;

namespace {

// One that is long, one whose value takes 25 times its length, and short ones around them.
std::string conversation()
{
    std::string arrays = "[[]";
    for (int i = 0; i != 300'000; ++i)
        arrays += ",[]";
    return echo_request(1) + request(2, "echo", "[\"" + std::string(6'000'000, 'x') + "\"]") + echo_request(3) +
           request(4, "echo", arrays + "]") + echo_request(5);
}

// With one thread for handlers: Asio 1.26 hangs in the constructor of a pool that gets its first thread and not the
// second.
struct server_end {
    int exit_code;
    std::string output;
};

server_end serve_with(std::size_t kibibytes)
{
    const scratch_directory folder;
    const std::string in = (folder / "in").string();
    const std::string out = (folder / "out").string();
    std::ofstream(in) << conversation();
    const std::string command = "cat " + in + " | (ulimit -v " + std::to_string(kibibytes) + "; exec timeout 20 " +
                                PARTYLINE_ECHO + " --pool-threads 1) > " + out + " 2>/dev/null";
    const int status = std::system(command.c_str());
    std::ostringstream output;
    output << std::ifstream(out).rdbuf();
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output.str()};
}

const auto steps = utf::data::xrange(10'000, 130'000, 10'000);

} // namespace

BOOST_AUTO_TEST_SUITE(low_memory, *utf::timeout(100))

// rule: security.messages.whole
BOOST_DATA_TEST_CASE(whatever_memory_there_is_nothing_hangs_and_nothing_is_half, steps, kibibytes)
{
    if (is_sanitized)
        return; // a sanitizer reserves terabytes
    const server_end came = serve_with(static_cast<std::size_t>(kibibytes));
    if (came.output.empty() && (came.exit_code == 127 || came.exit_code == 2)) { // it could not even start
        BOOST_TEST(kibibytes < 60'000);
        return;
    }
    const bool has_room = static_cast<std::uintmax_t>(kibibytes) * 1024 > std::filesystem::file_size(PARTYLINE_ECHO);
    if (came.output.empty() && !has_room) // the system ends it while it maps it: one with debug information is large
        return;
    BOOST_TEST((came.exit_code == 0 || came.exit_code == 3), "exit code " << came.exit_code);
    std::set<std::int64_t> answered;
    std::istringstream lines(came.output);
    for (std::string line; std::getline(lines, line);) {
        boost::system::error_code failed;
        const boost::json::value reply = boost::json::parse(line, failed);
        BOOST_TEST_REQUIRE(!failed);
        BOOST_TEST(answered.insert(reply.at("id").as_int64()).second);
    }
    BOOST_TEST(answered.contains(1));
    if (came.exit_code == 0)
        BOOST_TEST(answered.size() == 5u);
}

BOOST_AUTO_TEST_SUITE_END()
