#pragma once

#include "support/child_process.hpp"
#include "support/http_client.hpp"
#include "support/line_reader.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace partyline::test {

/// The real gateway in front of a program, and its clients.
class running_gateway {
public:
    /// `words` are those of its command line, from behind the address on.
    explicit running_gateway(std::vector<std::string> words);

    http_client connect() { return {context, port_}; }
    child_process& process() { return *process_; }
    /// The processes that it has as children.
    std::vector<int> servers() const;
    /// Waits until it has so many.
    std::vector<int> wait_for_servers(std::size_t count);
    /// What it says on standard error, after where it listens.
    line_reader& errors() { return errors_; }

    boost::asio::io_context context{1};

private:
    std::optional<child_process> process_;
    line_reader errors_;
    std::uint16_t port_ = 0;
};

} // namespace partyline::test
