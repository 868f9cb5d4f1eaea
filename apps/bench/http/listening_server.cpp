#include "bench/http/listening_server.hpp"

#include "bench/failure.hpp"

#include <charconv>
#include <csignal>
#include <string_view>

#include <poll.h>

namespace bench::http {
namespace {

// The number behind the last colon of the line that tells of it; 0: it has not been told yet.
std::uint16_t port_in(std::string_view said)
{
    const std::size_t begin = said.find("listening on ");
    const std::size_t end = said.find('\n', begin);
    if (begin == std::string_view::npos || end == std::string_view::npos)
        return 0;
    std::string_view line = said.substr(begin, end - begin);
    line.remove_prefix(line.rfind(':') + 1);
    std::uint16_t port = 0;
    std::from_chars(line.data(), line.data() + line.size(), port);
    return port;
}

} // namespace

listening_server::listening_server(const std::string& command, std::chrono::milliseconds patience)
    : process_(command, transport::pipes)
{
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + patience;
    while ((port_ = port_in(process_.last_stderr_lines())) == 0) {
        const std::string said(process_.last_stderr_lines());
        if (process_.ends_within(std::chrono::milliseconds(0)))
            throw failure("ended with " + process_.how_it_ended() + " before it listened: " + said);
        if (clock::now() >= end)
            throw failure("does not say on its standard error where it is listening: " + said);
        wait_for_errors(std::chrono::milliseconds(100));
    }
}

void listening_server::wait_for_errors(std::chrono::milliseconds time)
{
    pollfd entry{process_.errors(), POLLIN, 0};
    if (::poll(&entry, 1, static_cast<int>(time.count())) > 0)
        process_.read_errors();
}

void listening_server::end(std::chrono::milliseconds patience)
{
    process_.signal(SIGTERM);
    if (!process_.ends_within(patience))
        throw failure("did not end after SIGTERM; it is killed");
}

} // namespace bench::http
