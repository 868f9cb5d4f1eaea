#pragma once

#include <boost/json/value.hpp>

#include <chrono>
#include <functional>

namespace partyline {

/// How a call to the peer is made. Of durations the largest, `duration::max()`, means never, and a negative one at
/// once: the call fails with `errc::timeout`, and may have been sent.
struct call_options {
    /// How long it may take in all, from `async_call` to the reply; then it fails with `errc::timeout`, and the peer is
    /// told to cancel it. 0: for ever.
    std::chrono::steady_clock::duration timeout = std::chrono::steady_clock::duration::zero();
    /// How long nothing may be heard of it: since `async_call`, or since the last progress. 0: for ever. It ends as
    /// after `timeout`, which stays the most that it may take however much progress comes.
    std::chrono::steady_clock::duration idle_timeout = std::chrono::steady_clock::duration::zero();
    /// Called with every progress value that the peer sends about this call, before the call completes, on the
    /// session's executor; what it throws is logged. Empty: progress is not reported.
    std::function<void(const boost::json::value&)> on_progress = {};
    /// Whether the peer is asked for progress where that is of use, with `on_progress` or an idle timeout: object
    /// params get the member `workDoneToken`, the call's id, in place of one that they have: progress reaches
    /// `on_progress` by that id alone. False: params go as they are, and only progress that the peer sends unasked
    /// arrives; a partyline peer sends it under the call's id.
    bool asks_progress = true;
};

} // namespace partyline
