#include "bounded_output.hpp"

#include <partyline/protocol/writer.hpp>

#include <algorithm>

namespace tools {

void bounded_output::add(std::string_view piece)
{
    const std::size_t fits = std::min(piece.size(), max_head_ - head_.size());
    head_ += piece.substr(0, fits);
    piece.remove_prefix(fits);
    const std::size_t passed = piece.size() - std::min(piece.size(), max_tail_);
    if (passed > 0) {
        dropped_ += end_.size() + passed;
        end_.clear();
    }
    end_ += piece.substr(passed);
    if (end_.size() > 2 * max_tail_) {
        const std::size_t surplus = end_.size() - max_tail_;
        dropped_ += surplus;
        end_.erase(0, surplus);
    }
}

std::string bounded_output::text() const
{
    std::string all = head_;
    if (const std::uint64_t count = bytes_left_out())
        all += "\n[... " + std::to_string(count) + " bytes are left out here ...]\n";
    all += tail();
    return partyline::to_valid_utf8(all);
}

std::uint64_t bounded_output::bytes_left_out() const noexcept
{
    return dropped_ + (end_.size() - tail().size());
}

std::string_view bounded_output::tail() const noexcept
{
    const std::string_view all = end_;
    return all.substr(all.size() - std::min(all.size(), max_tail_));
}

} // namespace tools
