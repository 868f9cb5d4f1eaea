#include "session/requests/intake.hpp"

#include "session/requests/error_replies.hpp"

#include <algorithm>
#include <utility>

namespace partyline {

intake::intake(std::unique_ptr<framing> frames, const session_options& options, message_reader::params_hint& hint,
               live_counters& counters)
    : frames_(std::move(frames)), options_(options), counters_(counters),
      reader_(options.bounds, &hint, options.lone_surrogates), pending_share_(options.budget.get()),
      pushed_share_(options.budget.get())
{
}

void intake::push(std::string text, outlet& via)
{
    const std::size_t size = text.size();
    pushed_.push_back({std::move(text), &via});
    counters_.bytes_in.add(size);
    note_pushed(pushed_bytes_ + size);
}

void intake::note_pushed(std::size_t bytes) noexcept
{
    pushed_bytes_ = bytes;
    pushed_share_.set(bytes);
}

std::size_t intake::drop_pushed(const outlet& via) noexcept
{
    const std::size_t before = pushed_.size();
    const auto is_by_it = [&](const pushed_message& m) {
        if (m.via != &via)
            return false;
        note_pushed(pushed_bytes_ - m.text.size());
        return true;
    };
    pushed_.erase(std::remove_if(pushed_.begin(), pushed_.end(), is_by_it), pushed_.end());
    return before - pushed_.size();
}

outlet& intake::drop_pushed() noexcept
{
    outlet& via = *pushed_.front().via;
    note_pushed(pushed_bytes_ - pushed_.front().text.size());
    pushed_.pop_front();
    return via;
}

void intake::take_pushed(arrival& out)
{
    taken_ = std::move(pushed_.front().text);
    via_ = pushed_.front().via;
    pushed_.pop_front();
    note_pushed(pushed_bytes_ - taken_.size());
    counters_.messages_in.add();
    out.what = arrival::kind::message;
    out.text = taken_;
    out.envelope = &reader_.read(out.text);
}

void intake::open_batch(std::shared_ptr<batch_reply> replies) noexcept
{
    batch_ = std::move(replies);
    next_element_ = 0;
    is_batch_dropped_ = false;
}

std::span<const std::string_view> intake::drop_rest_of_batch() noexcept
{
    if (!batch_ || std::exchange(is_batch_dropped_, true))
        return {};
    return std::span(reader_.elements()).subspan(next_element_);
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
    reader_.release_memory(); // nothing more may come, and a thousand idle sessions would each keep some
    if (!taken_.empty())
        std::string().swap(taken_);
    if (options_.budget)
        note_pending();
    return false;
}

// A message under way takes memory: beyond `memory_budget::always` it is given up once half of the budget is used.
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
