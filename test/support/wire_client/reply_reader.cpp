#include "reply_reader.hpp"

#include "failure.hpp"
#include "quote.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace wire_client {
namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::string_view head_end = "\r\n\r\n";

bool is_same(char a, char b)
{
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// The value of a field, whose name may be in letters of any size.
std::optional<std::string_view> field(std::string_view head, std::string_view name)
{
    for (std::size_t end = head.find(line_end); end != std::string_view::npos; end = head.find(line_end)) {
        head.remove_prefix(end + line_end.size());
        if (head.size() <= name.size() || head[name.size()] != ':' ||
            !std::equal(name.begin(), name.end(), head.begin(), is_same))
            continue;
        std::string_view value = head.substr(name.size() + 1, head.find(line_end) - name.size() - 1);
        value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
        return value;
    }
    return std::nullopt;
}

std::size_t number(std::string_view text, int base)
{
    std::size_t value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value, base).ec != std::errc())
        throw failure("says a length that is none: " + quote(text));
    return value;
}

// A message is a line of the inbox; what a server ends its JSON with is none of it.
void put(std::string_view message, inbox& into)
{
    message = message.substr(0, message.find_last_not_of("\r\n ") + 1);
    if (message.empty())
        return;
    into.append(message);
    into.append("\n");
}

} // namespace

void reply_reader::append(std::string_view bytes, inbox& into)
{
    text_ += bytes;
    while (take_some(into)) {
        // Until what is left is not complete.
    }
    text_.erase(0, begin_);
    begin_ = 0;
}

// Whether there may be more to take.
bool reply_reader::take_some(inbox& into)
{
    switch (next_) {
    case part::head: return take_head(into);
    case part::body:
    case part::chunk: return take_body(into);
    case part::chunk_size: return take_chunk_size();
    case part::chunk_end: return take_chunk_end();
    case part::trailer: return take_trailer(into);
    }
    return false;
}

bool reply_reader::take_line(std::string_view& line)
{
    const std::size_t end = text_.find(line_end, begin_);
    if (end == std::string::npos)
        return false;
    line = std::string_view(text_).substr(begin_, end - begin_);
    begin_ = end + line_end.size();
    return true;
}

bool reply_reader::take_head(inbox& into)
{
    const std::size_t end = text_.find(head_end, begin_);
    if (end == std::string::npos)
        return false;
    const std::string_view head = std::string_view(text_).substr(begin_, end - begin_ + line_end.size());
    check_status(head);
    begin_ = end + head_end.size();
    ++heads_;
    is_chunked_ = field(head, "transfer-encoding").has_value();
    is_stream_ = field(head, "content-type").value_or("").starts_with("text/event-stream");
    session_ = field(head, "mcp-session-id").value_or(session_);
    left_ = number(field(head, "content-length").value_or("0"), 10);
    next_ = is_chunked_ ? part::chunk_size : part::body;
    if (!is_chunked_ && left_ == 0)
        end_response(into);
    return true;
}

void reply_reader::check_status(std::string_view head) const
{
    if (!head.starts_with("HTTP/1.1 2"))
        throw failure("has answered " + quote(std::string_view(text_).substr(begin_)));
}

bool reply_reader::take_chunk_size()
{
    std::string_view line;
    if (!take_line(line))
        return false;
    left_ = number(line, 16);
    next_ = left_ == 0 ? part::trailer : part::chunk;
    return true;
}

bool reply_reader::take_chunk_end()
{
    std::string_view line;
    if (!take_line(line))
        return false;
    next_ = part::chunk_size;
    return true;
}

bool reply_reader::take_trailer(inbox& into)
{
    std::string_view line;
    if (!take_line(line))
        return false;
    if (line.empty())
        end_response(into);
    return true;
}

bool reply_reader::take_body(inbox& into)
{
    const std::size_t count = std::min(left_, text_.size() - begin_);
    if (count == 0)
        return false;
    take_content(std::string_view(text_).substr(begin_, count), into);
    begin_ += count;
    left_ -= count;
    if (left_ != 0)
        return false;
    if (is_chunked_)
        next_ = part::chunk_end;
    else
        end_response(into);
    return true;
}

void reply_reader::take_content(std::string_view bytes, inbox& into)
{
    content_ += bytes;
    if (is_stream_)
        take_events(into);
}

// The data of each event that is complete; comments and the other fields say nothing here.
void reply_reader::take_events(inbox& into)
{
    constexpr std::string_view data = "data:";
    std::size_t begin = 0;
    for (std::size_t end = content_.find('\n'); end != std::string::npos; end = content_.find('\n', begin)) {
        std::string_view line = std::string_view(content_).substr(begin, end - begin);
        begin = end + 1;
        if (!line.starts_with(data))
            continue;
        line.remove_prefix(data.size());
        put(line.substr(line.starts_with(' ')), into);
    }
    content_.erase(0, begin);
}

void reply_reader::end_response(inbox& into)
{
    if (!is_stream_)
        put(content_, into);
    content_.clear();
    ++responses_;
    next_ = part::head;
}

} // namespace wire_client
