#pragma once

#include "child_process.hpp"
#include "line_reader.hpp"
#include "scratch_directory.hpp"
#include "socket_client.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace partyline::test {

/// The sample server, listening on a Unix socket and on a TCP port that the system has chosen.
class listening_server {
public:
    explicit listening_server(std::vector<std::string> options = {});
    /// Started by a shell, after this command of its.
    listening_server(const std::string& shell_command, std::vector<std::string> options);

    std::filesystem::path path() const { return directory_ / "socket"; }
    std::uint16_t port() const { return port_; }
    socket_client unix_client() const { return socket_client(path()); }
    socket_client tcp_client() const { return socket_client(port_); }

    child_process& child() { return *child_; }
    int wait_exit() { return child_->wait_exit(); }
    /// What it says on standard error, after where it listens.
    line_reader& errors() { return errors_; }

private:
    void start(const std::string& program, std::vector<std::string> words, const std::vector<std::string>& options);

    scratch_directory directory_;
    std::optional<child_process> child_;
    line_reader errors_;
    std::uint16_t port_ = 0;
};

} // namespace partyline::test
