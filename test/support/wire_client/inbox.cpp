#include "inbox.hpp"

#include "failure.hpp"
#include "quote.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace wire_client {
namespace {

constexpr std::string_view header_end = "\r\n\r\n";
constexpr std::string_view length_name = "content-length:";
constexpr std::size_t longest_header = 4096;
constexpr std::size_t longest_body = std::size_t(1) << 32;

// The value of Content-Length in a header.
std::size_t body_length(std::string_view header)
{
    std::string lower(header);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    std::size_t at = lower.starts_with(length_name) ? 0 : lower.find("\r\n" + std::string(length_name));
    if (at == std::string::npos)
        throw failure("a header without Content-Length came: " + quote(header));
    at = lower.find(':', at) + 1;
    at = std::min(lower.find_first_not_of(' ', at), lower.size());
    std::size_t length = 0;
    const auto [end, failed] = std::from_chars(lower.data() + at, lower.data() + lower.size(), length);
    if (failed != std::errc() || length > longest_body || (*end != '\r' && end != lower.data() + lower.size()))
        throw failure("a header with a bad Content-Length came: " + quote(header));
    return length;
}

} // namespace

void append_framed(std::string& wire, std::string_view message, framing how)
{
    if (how == framing::content_length)
        wire.append("Content-Length: ").append(std::to_string(message.size())).append(header_end);
    wire.append(message);
    if (how == framing::ndjson)
        wire.push_back('\n');
}

void inbox::make_room(std::size_t bytes)
{
    const std::size_t had = text_.size();
    text_.resize(had + bytes);
    text_.resize(had);
}

void inbox::append(std::string_view bytes)
{
    text_.append(bytes);
    if (how_ == framing::ndjson)
        find_lines();
    else
        find_bodies();
}

void inbox::find_lines()
{
    for (;;) {
        const std::size_t end = text_.find('\n', searched_);
        if (end == std::string::npos)
            break;
        messages_.push_back({begin_, end - begin_});
        begin_ = searched_ = end + 1;
    }
    searched_ = text_.size();
}

void inbox::find_bodies()
{
    while (read_header() && text_.size() >= body_) {
        messages_.push_back({searched_, body_ - searched_});
        begin_ = searched_ = body_;
        body_ = 0;
    }
}

// Whether it is known where the next message begins, `searched_`, and ends.
bool inbox::read_header()
{
    if (body_ != 0)
        return true;
    const std::size_t end = text_.find(header_end, begin_);
    if (std::min(end, text_.size()) - begin_ > longest_header)
        throw failure("a header without end came: " + quote(rest()));
    if (end == std::string::npos)
        return false;
    const std::size_t length = body_length(std::string_view(text_).substr(begin_, end - begin_));
    searched_ = end + header_end.size();
    body_ = searched_ + length;
    return true;
}

std::string_view inbox::operator[](std::size_t index) const
{
    return std::string_view(text_).substr(messages_[index].begin, messages_[index].size);
}

void inbox::clear()
{
    text_.erase(0, begin_);
    searched_ -= begin_;
    body_ -= body_ != 0 ? begin_ : 0;
    begin_ = 0;
    messages_.clear();
}

} // namespace wire_client
