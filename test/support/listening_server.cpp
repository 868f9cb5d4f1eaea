#include "listening_server.hpp"

#include "descriptors.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>

namespace partyline::test {

listening_server::listening_server(std::vector<std::string> options)
{
    start(PARTYLINE_ECHO, {}, options);
}

listening_server::listening_server(const std::string& shell_command, std::vector<std::string> options)
{
    start("/bin/sh", {"-c", shell_command + "; exec \"$0\" \"$@\"", PARTYLINE_ECHO}, options);
}

void listening_server::start(const std::string& program, std::vector<std::string> words,
                             const std::vector<std::string>& options)
{
    words.insert(words.end(), {"--unix", path(), "--tcp", "0"});
    words.insert(words.end(), options.begin(), options.end());
    const unique_fd nothing = open_file("/dev/null", O_RDWR);
    pipe_ends errors = make_pipe();
    child_.emplace(program, words, child_stdio{nothing.get(), nothing.get(), errors.write.get()});
    errors.write.reset();
    errors_ = line_reader(std::move(errors.read));

    std::string line = errors_.read_line().value_or("(end)");
    BOOST_TEST(line == "listening on unix " + path().string());
    while (line.starts_with("listening on unix "))
        line = errors_.read_line().value_or("(end)");
    const std::string_view before = "listening on tcp 127.0.0.1:";
    BOOST_TEST_REQUIRE(line.starts_with(before), line);
    port_ = static_cast<std::uint16_t>(std::stoul(line.substr(before.size())));
}

} // namespace partyline::test
