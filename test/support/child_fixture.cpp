#include "support/child_fixture.hpp"

#include "support/child_process.hpp"

#include <boost/asio/buffer.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <signal.h>
#include <sys/wait.h>

namespace asio = boost::asio;

namespace partyline::test {

partyline::child_process child_fixture::start(std::vector<std::string> arguments, child_options options)
{
    arguments.insert(arguments.begin(), odd_child());
    return partyline::child_process(context.get_executor(), std::move(arguments), std::move(options));
}

void child_fixture::run_until(const std::function<bool()>& done)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        context.restart();
        if (context.run_one_until(deadline) == 0)
            throw std::runtime_error("what is waited for does not happen");
    }
}

void child_fixture::poll()
{
    context.restart();
    context.poll();
}

transferred child_fixture::read_some(partyline::child_process& child, std::string& room)
{
    std::optional<transferred> result;
    child.async_read_some(asio::buffer(room), into(result));
    run_until([&] { return result.has_value(); });
    return *result;
}

transferred child_fixture::write_some(partyline::child_process& child, const std::string& text)
{
    std::optional<transferred> result;
    child.async_write_some(asio::buffer(text), into(result));
    run_until([&] { return result.has_value(); });
    return *result;
}

std::string child_fixture::read_line(partyline::child_process& child)
{
    std::string line;
    for (std::string byte(1, ' ');;) {
        const transferred result = read_some(child, byte);
        if (result.failed || byte == "\n")
            return line;
        line += byte;
    }
}

std::string child_fixture::read_all(partyline::child_process& child)
{
    std::string all;
    for (std::string room(65536, ' ');;) {
        const transferred result = read_some(child, room);
        if (result.failed && result.failed != asio::error::eof)
            throw boost::system::system_error(result.failed);
        if (result.failed)
            return all;
        all.append(room, 0, result.count);
    }
}

ended child_fixture::end(partyline::child_process& child)
{
    std::optional<ended> result;
    child.async_end(into(result));
    run_until([&] { return result.has_value(); });
    return *result;
}

child_exit child_fixture::wait_exit(const partyline::child_process& child)
{
    const auto report = child.report();
    run_until([&] { return report->exit().has_value(); });
    return *report->exit();
}

std::string odd_child()
{
    return PARTYLINE_ODD_CHILD;
}

std::size_t count_descriptors()
{
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 1; // the iterator's own
}

bool has_children()
{
    siginfo_t info{};
    return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

} // namespace partyline::test
