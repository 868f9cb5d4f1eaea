// send_lines COMMAND HOW AT_ONCE: starts a server of HTTP, sends each line of standard input to it over one connection,
// by POST to its /rpc (HOW is post) or over WebSocket to its /ws (websocket), so many at once, waits for the answers
// before it goes on, writes these to standard output, a line each, and ends the server.

#include "bench/driver/http/trial.hpp"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

using bench::speech;

constexpr std::chrono::seconds patience(60); // valgrind takes its time

bench::http::head_recipe recipe_of(const std::string& how, std::uint16_t port)
{
    if (how == "post")
        return {.path = "/rpc", .port = port};
    if (how == "websocket")
        return {.path = "/ws", .port = port, .how = speech::websocket};
    throw std::invalid_argument("lines are sent by post or websocket");
}

// The next ones of standard input; fewer at its end.
std::string read_requests(const bench::http::head_recipe& how, std::size_t at_once, std::size_t& count)
{
    std::string requests;
    std::string line;
    for (count = 0; count != at_once && std::getline(std::cin, line); ++count)
        requests += bench::http::request_of(how, line);
    return requests;
}

void send_lines(const std::string& command, const std::string& how, std::size_t at_once)
{
    bench::http::listening_server server(command, patience);
    const bench::http::head_recipe recipe = recipe_of(how, server.port());
    bench::http::client client(server.process(), server.port(), recipe.how, patience);
    bench::connection& over = client.open();
    const auto ignore = [](bench::connection&) {};
    if (recipe.how == speech::websocket) {
        const std::string opening = bench::http::opening_of(recipe);
        client.send(over, opening);
        client.run([&] { return over.frames().is_open(); }, ignore);
    }
    std::size_t asked = 0;
    std::size_t count = 0;
    for (std::string text = read_requests(recipe, at_once, count); count != 0;
         text = read_requests(recipe, at_once, count)) {
        client.send(over, text);
        asked += count;
        client.run([&] { return over.answers() == asked; }, ignore);
    }
    for (std::size_t i = 0; i < client.received().size(); ++i)
        std::cout << client.received()[i] << '\n';
    server.end(patience);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        if (argc != 4)
            throw std::invalid_argument("usage: send_lines COMMAND post|websocket AT_ONCE");
        send_lines(argv[1], argv[2], std::strtoul(argv[3], nullptr, 10));
        return 0;
    } catch (const std::exception& e) {
        std::cerr << "send_lines: " << e.what() << '\n';
        return 1;
    }
}
