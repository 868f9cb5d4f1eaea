#pragma once

#include "support/http_client.hpp"
#include "support/http_program.hpp"

#include <boost/asio/io_context.hpp>

#include <string>
#include <vector>

namespace partyline::test {

using words = std::vector<std::string>;

/// A program that listens: what it is called with before and after the options of a test.
struct service_program {
    std::string path;
    words before;
    words after = {};
    int end_code = 128 + 15; // by SIGTERM

    std::string name() const { return path.substr(path.rfind('/') + 1); }
    words command(const words& options) const;
};

/// partyline-echo, partyline-tools and partyline-gateway, which have the options of HTTP.
std::vector<service_program> http_programs();
/// These and partyline-mcp-fixture.
std::vector<service_program> all_programs();

/// One that runs, and a client of it.
class served_program {
public:
    served_program(const service_program& what, const words& options);
    /// Started by another program, which is given its path and all else after these words of its own.
    served_program(const std::string& starter, words own, const service_program& what, const words& options);

    child_process& process() { return program_.process(); }
    bool has_said();
    std::string said_next() { return program_.errors().read_line().value_or("(end)"); }
    std::string said_rest() { return program_.errors().read_rest(); }
    std::uint16_t port() const { return program_.port(); }
    /// Asks for the path "/n7", say, which no program has.
    void ask_for(int number);
    http_client& client() { return client_; }
    /// By SIGTERM, without the client.
    int end();

private:
    http_program program_;
    boost::asio::io_context context_;
    http_client client_;
};

/// Has `done` become true within `patience`, or throws.
void wait_until(const std::function<bool()>& done);

} // namespace partyline::test
