#include "session/requests/intake.hpp"

#include "session/requests/error_replies.hpp"

#include <utility>

namespace partyline {

intake::intake(std::unique_ptr<framing> frames, const session_options& options, message_reader::params_hint& hint,
               live_counters& counters)
    : frames_(std::move(frames)), options_(options), counters_(counters), reader_(options.bounds, &hint),
      pending_share_(options.budget.get())
{
}

void intake::open_batch(std::shared_ptr<batch_reply> replies) noexcept
{
    batch_ = std::move(replies);
    next_element_ = 0;
    is_batch_dropped_ = false;
}

bool intake::take_element(arrival& out)
{
    if (is_batch_dropped_ || next_element_ == reader_.elements().size()) {
        out.what = arrival::kind::end_of_batch;
        return true;
    }
    out.what = arrival::kind::message;
    out.text = reader_.elements()[next_element_++];
    out.envelope = &reader_.read_element(out.text);
    return true;
}

bool intake::take_discarded(arrival& out)
{
    out.discarded = &current_;
    if (!current_.problem.empty()) {
        out.what = arrival::kind::bad_header;
        return true;
    }
    counters_.messages_in.add();
    out.what = arrival::kind::oversize;
    return true;
}

bool intake::note_none()
{
    if (options_.budget)
        note_pending();
    return false;
}

// A message under way takes memory before anybody knows what it is: where none is left to share, it is given up.
void intake::note_pending()
{
    if (frames_->pending() > memory_budget::always && pending_share_.is_half_used())
        frames_->give_up_pending();
    if (frames_->pending() <= memory_budget::always)
        frames_->release_memory(); // a thousand sessions would each keep that of their longest message
    pending_share_.set(frames_->pending());
}

error_object intake::oversize_error(const frame& discarded)
{
    if (!was_given_up(discarded))
        return partyline::oversize_error(options_.bounds.message_bytes, discarded.size);
    counters_.busy.add();
    return busy_error(pending_share_.limit(), pending_share_.used() + discarded.size);
}

} // namespace partyline
