#pragma once

#include "session/call_rules.hpp"
#include "session/current_access.hpp"
#include "session/end_rules.hpp"
#include "session/live_counters.hpp"

#include <partyline/session/attachments.hpp>
#include <partyline/session/lifecycle.hpp>
#include <partyline/session/profile.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/session/session_totals.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace partyline {

/// A session's place among those whose counters are summed up, while it lives.
class totals_entry {
public:
    totals_entry(session_totals* of, const live_counters& counters) : of_(of)
    {
        if (of)
            place_ = of->add(counters);
    }
    totals_entry(const totals_entry&) = delete;
    totals_entry& operator=(const totals_entry&) = delete;
    ~totals_entry()
    {
        if (of_)
            of_->remove(place_);
    }

private:
    session_totals* const of_; // null: they are not
    session_totals::place place_;
};

/// What every part of a session may know: facts, and nothing that acts.
/// Thread safety: `executor`, `access` and `end` as they say, `attached` on the executor, `counters` are read anywhere,
/// the rest does not change.
struct session_context {
    session_context(boost::asio::any_io_executor where, session_options how)
        : executor(std::move(where)), options(std::move(how)), protocol(*options.profile),
          lifecycle(protocol.make_lifecycle()), access(std::move(options.access), std::move(options.quota)),
          calling(options)
    {
    }

    /// Whether several messages may come, and go, as one array now.
    bool allows_batches() const { return protocol.allows_batches && (!lifecycle || lifecycle->allows_batches()); }

    /// Who the peer is; null where nobody knows. From any thread.
    const peer_identity* peer() const noexcept { return options.peer.get(); }

    std::chrono::steady_clock::duration drain_time() const noexcept
    {
        return options.drain_timeout.value_or(std::chrono::seconds(30));
    }

    boost::asio::any_io_executor executor; // empty when the session has ended; changed on itself only
    session_options options;
    const profile& protocol;
    const std::shared_ptr<partyline::lifecycle> lifecycle; // null where there is none
    current_access access;
    call_rules calling; // set before anything is called
    live_counters counters;
    const totals_entry summed{options.totals.get(), counters};
    end_rules end;
    attachments attached; // by handlers; destroyed when the session has ended
};

} // namespace partyline
