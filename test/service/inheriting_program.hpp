#pragma once

#include "support/child_process.hpp"
#include "support/line_reader.hpp"
#include "support/unique_fd.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <netinet/in.h>

namespace partyline::test {

/// A socket that listens as one of systemd does: longer than the programs that get it.
class manager_socket {
public:
    /// On a port that the system chooses, of this IPv4 address.
    explicit manager_socket(::in_addr_t address = INADDR_LOOPBACK);
    explicit manager_socket(const std::filesystem::path& path);

    int fd() const noexcept { return fd_.get(); }
    /// A client of it, before somebody accepts or not.
    unique_fd connect() const;

private:
    unique_fd fd_;
};

/// A program that is started with descriptors as systemd's (LISTEN_PID, LISTEN_FDS), one or two.
class inheriting_program {
public:
    inheriting_program(const std::string& program, const std::vector<std::string>& words, int first, int second = -1);

    child_process& process() { return *process_; }
    /// The next line on standard error.
    std::string said_next() { return errors_.read_line().value_or("(end)"); }
    std::string said_rest() { return errors_.read_rest(); }
    /// By SIGTERM.
    int end();

private:
    std::optional<child_process> process_;
    line_reader errors_;
};

} // namespace partyline::test
