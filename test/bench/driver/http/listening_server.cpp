#include "listening_server.hpp"

#include "bench/driver/wire.hpp"
#include "support/http_program.hpp"

#include <csignal>

#include <poll.h>

namespace bench::http {
listening_server::listening_server(const std::string& command, std::chrono::milliseconds patience)
    : process_(command, transport::pipes)
{
    using clock = std::chrono::steady_clock;
    using partyline::test::listening_port;
    const auto end = clock::now() + patience;
    while ((port_ = listening_port(process_.last_stderr_lines())) == 0) {
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
