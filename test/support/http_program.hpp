#pragma once

#include "child_process.hpp"
#include "line_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// The number after the last colon of the line that says "listening on"; 0: no such line is complete yet.
std::uint16_t listening_port(std::string_view said);

/// A program that serves HTTP at a port of 127.0.0.1, and says on standard error which one it is.
class http_program {
public:
    http_program(const std::string& program, const std::vector<std::string>& words);

    child_process& process() { return *process_; }
    const child_process& process() const { return *process_; }
    /// What it says on standard error, after where it listens.
    line_reader& errors() { return errors_; }
    std::uint16_t port() const noexcept { return port_; }

private:
    std::optional<child_process> process_;
    line_reader errors_;
    std::uint16_t port_ = 0;
};

} // namespace partyline::test
