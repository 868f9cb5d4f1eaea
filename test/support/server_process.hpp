#pragma once

#include "child_process.hpp"
#include "descriptors.hpp"
#include "line_reader.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// A conversation with a server that runs as a child process. Its stderr goes to a file, for `errors()`.
class server_process {
public:
    using here = std::source_location;

    server_process(const std::string& program, std::vector<std::string> options, wire ends = pipe_wire());
    /// With a stderr of the test's own.
    server_process(const std::string& program, std::vector<std::string> options, wire ends, int error_fd);

    /// One message; the newline is added.
    void send(std::string_view message);
    /// A request with the id 1; without params when they are empty.
    void send_request(std::string_view method, std::string_view params = {});
    void send_bytes(std::string_view bytes) { write_all(to_.get(), bytes); }
    void close_input() { to_.reset(); }
    void close_output() { from_.close(); }

    /// The next line, which must come.
    std::string read_line();
    boost::json::object read_message();
    line_reader& output() { return from_; }
    unique_fd& input() { return to_; }

    /// The next line is exactly `text`.
    void expect(std::string_view text, here at = here::current());
    /// The next line is the result of the request with the id 1.
    void expect_result(std::string_view result, here at = here::current());
    /// The next line is an error reply; `id` is the text of its id. Returns its `data`, null without.
    boost::json::value expect_error(std::string_view id, int code, here at = here::current());
    /// Nothing has been said: a request sent now is what is answered next.
    void expect_silence(here at = here::current());
    /// Nothing has been said, but the server still reads, also when it has no slot to start anything in: a bad request
    /// sent now is what is answered next.
    void expect_reading(here at = here::current());
    /// Nothing more comes, and then the process ends with `exit_code`.
    void expect_end(int exit_code, here at = here::current());

    int wait_exit() { return child_.wait_exit(); }
    child_process& child() { return child_; }
    std::string errors() const { return read_whole(error_file_.get()); }
    /// What `--stats` has printed, by name; once it has ended.
    std::map<std::string, std::uint64_t> stats() const;

private:
    unique_fd error_file_;
    unique_fd to_;
    line_reader from_;
    child_process child_;
    int probes_ = 0;
};

/// Compares an error reply with what it should be; returns its `data`, null without.
boost::json::value check_error(const boost::json::object& reply, std::string_view id, int code);

/// Compares an error's `data` with the limit that was passed and the value that passed it.
void check_limit(const boost::json::value& data, std::size_t limit, std::size_t value);

struct echo_server : server_process {
    /// `error_fd`: a stderr of the test's own.
    explicit echo_server(std::vector<std::string> options = {}, wire ends = pipe_wire(), int error_fd = -1);
};

/// One whose stderr can be waited for. That is what `errors()` does not show then.
class witnessed_server : public server_process {
public:
    explicit witnessed_server(std::vector<std::string> options = {}, wire ends = pipe_wire());

    /// Returns when all that was sent so far has been handled, and what there was to say to it has been written, as far
    /// as the peer reads: a session writes before it reads again. It has to have a slot free.
    void settle();
    /// How many notifications that has taken so far.
    int marks() const noexcept { return marks_; }

private:
    witnessed_server(std::vector<std::string> options, wire ends, pipe_ends errors);

    line_reader log_;
    int marks_ = 0;
};

/// Prints where it should not and ignores cancellation: see noisy_server.cpp.
struct noisy_server : server_process {
    explicit noisy_server(wire ends = pipe_wire());
    noisy_server(wire ends, int error_fd);
};

} // namespace partyline::test
