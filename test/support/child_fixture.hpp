#pragma once

#include "support/process_state.hpp"

#include <partyline/transport/child_process.hpp>

#include <boost/asio/io_context.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace partyline::test {

/// What an operation came to.
struct transferred {
    error_code failed;
    std::size_t count = 0;
};
struct ended {
    error_code failed;
    child_exit how;
};

/// For tests that start children. Every wait is bounded.
struct child_fixture {
    boost::asio::io_context context;

    /// `odd_child` with these arguments; see there.
    partyline::child_process start(std::vector<std::string> arguments, child_options options = {});

    /// Runs the context until `done`; throws when that takes too long.
    void run_until(const std::function<bool()>& done);
    /// Runs what is ready.
    void poll();

    /// What comes up to the end of a line, without it; or up to the end.
    std::string read_line(partyline::child_process& child);
    /// What comes up to the end, which must be `eof`.
    std::string read_all(partyline::child_process& child);
    transferred read_some(partyline::child_process& child, std::string& room);
    transferred write_some(partyline::child_process& child, const std::string& text);
    ended end(partyline::child_process& child);
    /// Until its end is known.
    child_exit wait_exit(const partyline::child_process& child);

    /// Handlers that keep what they are told.
    auto into(std::optional<transferred>& result)
    {
        return [&result](error_code failed, std::size_t count) { result = transferred{failed, count}; };
    }
    auto into(std::optional<ended>& result)
    {
        return [&result](error_code failed, child_exit how) { result = ended{failed, how}; };
    }
};

/// The path of `odd_child`.
std::string odd_child();

/// So many descriptors are open.
std::size_t count_descriptors();
/// Whether we have a child, running or not reaped.
bool has_children();

} // namespace partyline::test
