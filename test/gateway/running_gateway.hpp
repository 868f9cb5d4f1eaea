#pragma once

#include "support/http_client.hpp"
#include "support/http_program.hpp"

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace partyline::test {

/// The real gateway in front of a program, and its clients.
class running_gateway {
public:
    /// `words` are those of its command line, after the address.
    explicit running_gateway(std::vector<std::string> words);

    http_client connect() { return {context, program_.port()}; }
    std::uint16_t port() const noexcept { return program_.port(); }
    child_process& process() { return program_.process(); }
    /// The processes that it has as children.
    std::vector<pid_t> servers() const;
    /// Waits until it has so many.
    std::vector<pid_t> wait_for_servers(std::size_t count);
    /// What it says on standard error, after where it listens.
    line_reader& errors() { return program_.errors(); }

    boost::asio::io_context context{1};

private:
    http_program program_;
};

} // namespace partyline::test
