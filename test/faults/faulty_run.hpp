#pragma once

#include "allocation_faults.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace partyline::test {

/// What a session serves, and what has to live beside it.
struct served {
    std::shared_ptr<const dispatcher> methods;
    std::shared_ptr<void> owner = {};
};

/// A conversation: what the peer says, and how the session is set up.
struct script {
    std::string name;
    std::vector<std::string> input; // each piece is read by itself
    std::function<void(session_options&)> prepare = {};
    bool reads_late = false;
    std::size_t calls = 0;         // of "question", made by the session's owner before it runs
    std::size_t notifications = 0; // the same, that are to be sent
    /// Handlers await something. Asio 1.26 lets what the beginning of such an operation throws out of
    /// `io_context::run`, past the coroutine, which it destroys: nobody can stop that, but the session has to survive
    /// it.
    bool awaits = true;
    /// In place of `add_methods`, with the same executor; may set up the session as well.
    std::function<served(session_options&, boost::asio::any_io_executor elsewhere)> serve = {};
    /// How many requests there may be at once by the quota of the peer.
    std::uint32_t places = 100;
};

/// Those of this program.
const std::vector<script>& scripts();

/// The methods that scripts use, if they have none of their own. What is offloaded runs on a strand of `elsewhere`, or,
/// where that is empty, as all others: Asio 1.26 ends the process when a strand has no memory to go on.
void add_methods(method_table& methods, boost::asio::any_io_executor elsewhere);

/// What came of one run.
struct run_record {
    std::string output;
    error_code result;
    std::vector<std::string> log;
    std::vector<std::string> escaped; // exceptions that came out of `io_context::run`
    std::size_t ends = 0;             // how often `async_run` has completed
    std::size_t calls_ended = 0;
    std::size_t notifications_ended = 0;
    std::size_t failed_allocations = 0;
    bool is_bystander_well = false; // another session of the same io_context has answered behind all that
    std::size_t places_taken = 0;   // in the quota of the peer, when all is over
    bool is_all_gone = false;       // nobody holds the methods when it is over
    bool is_cut_off = false;        // the transport broke
};

/// Where a run is meddled with, besides its allocations.
struct meddling {
    std::function<void(session_options&)> prepare = {};
    std::size_t breaks_at = 0; // see peer_side
};

run_record perform(const script& played, allocation_plan plan, const meddling& with = {});

/// What is wrong with a run, given the one without a fault, in sentences.
std::vector<std::string> find_problems(const script& played, const run_record& clean, const run_record& faulty);

} // namespace partyline::test
