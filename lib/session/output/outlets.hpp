#pragma once

#include "session/output/outlet.hpp"

#include <partyline/config.hpp>

#include <cstddef>
#include <list>
#include <memory>

namespace partyline {

/// The outlets of one session: that of its stream, and those that a driver opens besides.
///
/// Flow: `open()`, and, when its driver has let go of it, `release()`. `take_busy()` gives those that there may be
/// something to do for, each once: it has room for what waited, or something to send, or nothing more to come.
/// `destroy_ended()` when none of them is on the stack.
///
/// The stream has the marks and the budget of the session's options. The others have a quarter of the marks each, so
/// that a slow one does not stop the rest, and one budget together, as large as the stream's cap and part of the
/// session's.
class PARTYLINE_EXPORT outlets {
public:
    /// All live longer.
    outlets(session_context& context, message_bracket& stream, const message_tap& tap);
    ~outlets() { busy_.clear(); }

    outlet& stream() noexcept { return stream_; }
    const outlet& stream() const noexcept { return stream_; }
    bool has_others() const noexcept { return !others_.empty(); }

    outlet& open(message_bracket& frames, outlet::user& told);
    void release(outlet& unused) noexcept;

    /// Null when there is none.
    outlet* take_busy() noexcept;
    void destroy_ended() noexcept { ended_.clear(); }

    bool has_kept() const noexcept { return kept_ != 0; }
    /// Whether some peer is behind with reading.
    bool is_behind() const noexcept;
    void forget_sources() noexcept;

    template <class Function>
    void for_each(Function function)
    {
        function(stream_);
        for (outlet& other : others_)
            function(other);
    }

private:
    friend class outlet;
    using busy_list = boost::intrusive::list<outlet, boost::intrusive::constant_time_size<false>>;

    session_context& context_;
    const message_tap& tap_;
    std::size_t kept_ = 0; // replies, in all of them
    outlet_number last_number_ = 0;
    busy_list busy_;
    std::unique_ptr<memory_budget> budget_; // of those that are not the stream
    outlet stream_;
    std::list<outlet> others_;
    std::list<outlet> ended_;
};

} // namespace partyline
