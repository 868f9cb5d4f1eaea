#include "access/tokens/refusal_log.hpp"

#include <utility>

namespace partyline::access {
namespace {

const char* text_of(authentication_outcome why) noexcept
{
    switch (why) {
    case authentication_outcome::expired: return "it has expired";
    case authentication_outcome::wrong_audience: return "it is for another server";
    default: return "it is not valid";
    }
}

} // namespace

std::optional<std::string> refusal_log::line(const credential& shown, authentication_outcome why,
                                             const peer_identity& from, time_point now)
{
    std::size_t left_out = 0;
    {
        const std::lock_guard lock(mutex_);
        if (lines_ == 0 || now < since_ || now - since_ >= window) {
            since_ = now;
            lines_ = 0;
            left_out = std::exchange(left_out_, 0);
        }
        if (lines_ == most_lines) {
            ++left_out_;
            return std::nullopt;
        }
        ++lines_;
    }
    std::string text = "refused token " + hex_of(digest_in(shown), 8);
    if (from.address)
        text += " from " + from.address->ip.to_string();
    text.append(": ").append(text_of(why));
    if (left_out != 0)
        text += " (" + std::to_string(left_out) + " before it are not shown)";
    return text;
}

} // namespace partyline::access
