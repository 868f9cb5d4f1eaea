// post_lines COMMAND: starts a server of HTTP, POSTs each line of standard input to its /rpc, one after the other over one
// connection, writes the bodies of the answers to standard output, a line each, and ends the server.

#include "bench/http/trial.hpp"

#include <exception>
#include <iostream>
#include <string>

namespace {

constexpr std::chrono::seconds patience(60); // valgrind takes its time

void post_lines(const std::string& command)
{
    bench::http::listening_server server(command, patience);
    bench::http::client client(server.process(), server.port(), bench::http::speech::http, patience);
    bench::http::connection& over = client.open();
    std::size_t asked = 0;
    for (std::string line; std::getline(std::cin, line);) {
        const std::string post = bench::http::post_of({.path = "/rpc", .port = server.port()}, line);
        client.send(over, post);
        ++asked;
        client.run([&] { return over.replies().responses() == asked; }, [](bench::http::connection&) {});
    }
    for (std::size_t i = 0; i < client.received().size(); ++i)
        std::cout << client.received()[i] << '\n';
    server.end(patience);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        post_lines(argc == 2 ? argv[1] : "");
        return 0;
    } catch (const std::exception& e) {
        std::cerr << "post_lines: " << e.what() << '\n';
        return 1;
    }
}
