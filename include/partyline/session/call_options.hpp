#pragma once

#include <boost/json/value.hpp>

#include <chrono>
#include <functional>
#include <utility>

namespace partyline {

/// How a call to the peer is made: `call_options().timeout(5s).on_progress(show)`. Of durations the largest,
/// `duration::max()`, means never, and a negative one at once: the call fails with `errc::timeout`, and may have been
/// sent.
///
///     partyline::call_options patient;
///     patient.idle_timeout(10s).on_progress([](const boost::json::value& how_far) { show(serialize(how_far)); });
///     const int lines = co_await peer.call<int>("count", args("src"), patient);
class call_options {
public:
    /// Durations are measured by a monotonic clock.
    using duration = std::chrono::steady_clock::duration;
    /// A function that is called with a value of progress as the peer has sent it, valid during the call.
    using progress_function = std::function<void(const boost::json::value&)>;

    call_options() = default;

    /// Sets how long the call may take in all, from its start to the reply; then it fails with `errc::timeout`, and the
    /// peer is told to cancel it. 0, as by default: for ever.
    call_options& timeout(duration most) noexcept
    {
        timeout_ = most;
        return *this;
    }
    /// The timeout; 0: for ever.
    duration timeout() const noexcept { return timeout_; }

    /// Sets how long the call may go without progress: since its start, or since the last progress. 0, as by default:
    /// for ever. Then the call ends as after `timeout`, which bounds the whole time however much progress comes.
    call_options& idle_timeout(duration most) noexcept
    {
        idle_timeout_ = most;
        return *this;
    }
    /// The idle timeout; 0: for ever.
    duration idle_timeout() const noexcept { return idle_timeout_; }

    /// Calls the function with every progress value that the peer sends about this call, before the call completes, on
    /// the session's executor; its exceptions are logged. Empty, as by default: progress is not reported.
    call_options& on_progress(progress_function told)
    {
        on_progress_ = std::move(told);
        return *this;
    }
    /// The function for progress; empty: progress is not reported.
    const progress_function& on_progress() const noexcept { return on_progress_; }

    /// Whether the peer is asked for progress where that is of use, with `on_progress` or an idle timeout: object
    /// params get the member `workDoneToken`, the call's id, in place of one that they have: progress reaches
    /// `on_progress` by that id alone. True by default. False: params go as they are, and only progress that the peer
    /// sends by itself arrives; a partyline peer sends it under the call's id.
    call_options& asks_progress(bool does) noexcept
    {
        asks_progress_ = does;
        return *this;
    }
    /// Whether progress is asked for, as it was set.
    bool asks_progress() const noexcept { return asks_progress_; }

private:
    duration timeout_ = duration::zero();
    duration idle_timeout_ = duration::zero();
    progress_function on_progress_;
    bool asks_progress_ = true;
};

} // namespace partyline
