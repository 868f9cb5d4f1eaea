// send_lines COMMAND HOW AT_ONCE: starts a server of HTTP, sends each line of standard input to it over one connection,
// by POST to its /rpc (HOW is post; token, jwt: with what it is called) or over WebSocket to its /ws (websocket), so
// many at once, waits for the answers before it goes on, writes these to standard output, a line each, and ends the
// server.

#include "bench/driver/access_files.hpp"
#include "bench/driver/trial.hpp"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

constexpr std::chrono::seconds patience(60); // valgrind takes its time

bench::service service_of(const std::string& how)
{
    if (how == "post" || how == "token" || how == "jwt")
        return bench::service::http_rpc;
    if (how == "websocket")
        return bench::service::websocket;
    throw std::invalid_argument("lines are sent by post, token, jwt or websocket");
}

// By POSTs that authenticate, where `how` says so.
bench::server_spec spec_of(const std::string& command, const std::string& how,
                           std::optional<bench::access_files>& access)
{
    bench::server_spec made = {.command = command, .served = service_of(how)};
    if (how == "token" || how == "jwt") {
        made.command += " --access " + access.emplace().path();
        made.authorizations =
            access->authorizations(how == "jwt" ? bench::credentials::jwt : bench::credentials::token);
    }
    return made;
}

void send_lines(const std::string& command, const std::string& how, std::size_t at_once)
{
    std::optional<bench::access_files> access;
    bench::trial run(spec_of(command, how, access), {.patience = patience});
    const bench::caller by = run.open();
    std::string requests;
    std::size_t count = 0;
    for (std::string line; std::getline(std::cin, line);) {
        requests += bench::request_of(by.how, line);
        if (++count != at_once)
            continue;
        run.exchange(*by.over, requests, count);
        requests.clear();
        count = 0;
    }
    run.exchange(*by.over, requests, count);
    for (std::size_t i = 0; i < run.wire().received().size(); ++i)
        std::cout << run.wire().received()[i] << '\n';
    run.finish();
}

} // namespace

int main(int argc, char** argv)
{
    try {
        if (argc != 4)
            throw std::invalid_argument("usage: send_lines COMMAND post|token|jwt|websocket AT_ONCE");
        send_lines(argv[1], argv[2], std::strtoul(argv[3], nullptr, 10));
        return 0;
    } catch (const std::exception& e) {
        std::cerr << "send_lines: " << e.what() << '\n';
        return 1;
    }
}
