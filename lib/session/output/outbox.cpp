#include "session/output/outbox.hpp"

namespace partyline {
namespace {

struct no_bracket final : message_bracket {
    void begin_message(byte_buffer&) override {}
    void end_message(byte_buffer&) override {}
};

} // namespace

void outbox::commit()
{
    frames_->end_message(bytes_);
    is_open_ = false;
    counts_.messages_out.add();
    const std::size_t length = bytes_.size() - frame_start_;
    grow(length);
    longest_ = std::max(longest_, length);
    if (size_ >= full_) [[unlikely]]
        note_excess();
    if (is_watched_) [[unlikely]]
        on_commit();
}

void outbox::drop() noexcept
{
    is_dropped_ = true;
    if (is_open_) { // what is half is not counted yet: it is dropped when it is whole, or taken back
        is_watched_ = true;
        return;
    }
    shrink(bytes_.size());
    bytes_.clear(0);
    excess_ = 0;
}

void outbox::drop_all() noexcept
{
    static no_bracket none;
    frames_ = &none;
    shrink(sending_.size() - sent_);
    sending_.clear(0);
    sent_ = 0;
    drop();
}

void outbox::note_excess() noexcept
{
    if (!is_over(full_))
        return;
    const std::size_t before = queued() - (bytes_.size() - frame_start_);
    const bool was_full = before != 0 && before + held_ >= full_;
    if (!was_full)
        excess_ = queued() + held_ - full_;
}

std::string_view outbox::unsent()
{
    if (sent_ == sending_.size()) {
        sending_.clear(share_.kept_when_empty());
        sent_ = 0;
        sending_.swap(bytes_);
    }
    return sending_.view().substr(sent_);
}

void outbox::sent(std::size_t count)
{
    sent_ += count;
    counts_.bytes_out.add(count);
    shrink(count);
}

void outbox::release_memory() noexcept
{
    if (is_open_ || queued() != 0)
        return;
    detail::keep_spare_buffer(std::exchange(bytes_, byte_buffer()), detail::spare_use::writing);
    detail::keep_spare_buffer(std::exchange(sending_, byte_buffer()), detail::spare_use::writing);
    sent_ = 0;
}

void outbox::hold(std::size_t count) noexcept
{
    held_ += count;
    grow(count);
}

void outbox::release(std::size_t count) noexcept
{
    held_ -= count;
    shrink(count);
}

void outbox::keep(std::size_t count) noexcept
{
    kept_ += count;
    grow(count);
}

void outbox::drop_kept(std::size_t count) noexcept
{
    kept_ -= count;
    shrink(count);
}

} // namespace partyline
