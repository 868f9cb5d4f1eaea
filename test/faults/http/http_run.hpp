#pragma once

#include "../allocation_faults.hpp"
#include "socket_faults.hpp"

#include <partyline/http/server.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace partyline::test {

/// What a client says next over one of its connections, when nothing else is left to do. "SESSION" stands for the id of
/// the session that was begun last.
struct http_piece {
    std::size_t connection = 0;
    std::string text;
    std::size_t after = 0; // so many answers, over all connections; or when one was closed
};

struct http_script {
    static constexpr std::size_t none = std::size_t(-1);

    std::string name;
    std::vector<http_piece> pieces;
    std::vector<std::size_t> responses; // how many each connection hears
    /// Has a server serve it by handlers that hold the token, and gives what has to live beside it.
    std::function<std::shared_ptr<void>(http::server&, std::shared_ptr<int> token)> serve;
    std::size_t listens = none;                  // the connection whose answer is a stream that need not end
    std::shared_ptr<access_control> access = {}; // of the server
    bool has_store = false;                      // memory has two events of a stream, and an event store all of them
};

const std::vector<http_script>& http_scripts();

/// Whether a connection has heard all that it is to hear.
bool has_heard_all(const http_script& played, std::size_t connection, const std::string& came);

/// What came of one run.
struct http_record {
    std::vector<std::string> heard;   // by connection
    std::vector<bool> was_closed;     // by the server
    std::vector<std::string> escaped; // exceptions that came out of `io_context::run`
    std::size_t failed_allocations = 0;
    bool has_struck = false;        // a socket failed
    bool is_late = false;           // answers were waited for in vain
    bool is_bystander_well = false; // another client was answered behind all that
    std::size_t ends = 0;           // how often `async_run` has completed
    error_code result;
    bool is_all_gone = false; // nobody holds the handlers when it is over
};

http_record perform(const http_script& played, allocation_plan memory, socket_plan sockets);

/// What is wrong with a run, given the one without a fault, in sentences.
std::vector<std::string> find_problems(const http_script& played, const http_record& clean, const http_record& faulty);
/// The same for one whose fault only made it take longer.
std::vector<std::string> find_differences(const http_record& clean, const http_record& faulty);

} // namespace partyline::test
