#include "mcp_program.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace call::test {

using namespace partyline::test;

namespace {

words with_server(words ours, const words& server)
{
    ours.insert(ours.end(), {"--profile", "mcp", "--"});
    ours.insert(ours.end(), server.begin(), server.end());
    return ours;
}

} // namespace

words with_fixture(words ours, const words& options)
{
    words all = with_server(std::move(ours), {PARTYLINE_MCP_FIXTURE});
    all.insert(all.end(), options.begin(), options.end());
    return all;
}

words with_tools(words ours, const std::string& root)
{
    return with_server(std::move(ours), {PARTYLINE_TOOLS, "--root", root});
}

words with_played(words ours, const std::string& script)
{
    const std::string beginning = R"(say() { printf '%s\n' "$1"; }
        read -r line
        say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                                  R"("serverInfo":{"name":"played","version":"1"}}}'
        read -r line
        )";
    ours.insert(ours.end(), {"--era", "legacy"});
    return with_server(std::move(ours), {"/bin/sh", "-c", beginning + script});
}

outcome run_without_terminal(const words& command_line)
{
    words line{"-w", PARTYLINE_CALL};
    line.insert(line.end(), command_line.begin(), command_line.end());
    const unique_fd nothing = open_file("/dev/null", O_RDONLY);
    const unique_fd errors = make_memory_file();
    pipe_ends out = make_pipe();
    child_process program("/usr/bin/setsid", line, {nothing.get(), out.write.get(), errors.get()});
    out.write.reset();
    std::string printed = line_reader(std::move(out.read)).read_rest();
    const int code = program.wait_exit();
    return {code, std::move(printed), read_whole(errors.get())};
}

terminal_program::terminal_program(const words& command_line)
    : terminal_program(command_line, make_line_terminal(), make_pipe(), make_memory_file())
{
}

terminal_program::terminal_program(const words& command_line, fd_pair terminal, pipe_ends out, unique_fd errors)
    : terminal_(std::move(terminal.ours)), output_(std::move(out.read)), errors_(std::move(errors)),
      child_(PARTYLINE_CALL, command_line, {terminal.theirs.get(), out.write.get(), errors_.get()})
{
    // What the program was given is closed here: its output would never end else.
}

std::string terminal_program::wait_shown(std::string_view part)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (shown_.find(part) == shown_.npos) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        pollfd waited{terminal_.get(), POLLIN, 0};
        std::array<char, 4096> chunk;
        const bool has_more = left.count() > 0 && ::poll(&waited, 1, static_cast<int>(left.count())) > 0;
        const ssize_t count = has_more ? ::read(terminal_.get(), chunk.data(), chunk.size()) : -1;
        if (count <= 0)
            throw std::runtime_error("the terminal shows '" + shown_ + "' instead of '" + std::string(part) + "'");
        shown_.append(chunk.data(), static_cast<std::size_t>(count));
    }
    return std::exchange(shown_, {});
}

void terminal_program::type(std::string_view text)
{
    write_all(terminal_.get(), text);
}

outcome terminal_program::wait_end()
{
    std::string printed = output_.read_rest();
    const int code = child_.wait_exit();
    return {code, std::move(printed), read_whole(errors_.get())};
}

} // namespace call::test
