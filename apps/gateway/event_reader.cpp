#include "gateway/event_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace gateway {

void event_reader::feed(std::string_view bytes)
{
    searched_ -= std::min(searched_, at_);
    bytes_.erase(0, std::exchange(at_, 0));
    bytes_ += bytes;
    if (bytes_.size() + data_.size() > most_)
        throw std::length_error("an event is longer than " + std::to_string(most_) + " bytes");
}

std::optional<std::string> event_reader::next()
{
    while (const std::optional<std::string_view> line = take_line()) {
        if (!line->empty()) {
            take_field(*line);
            continue;
        }
        last_id_ = id_;
        if (std::exchange(has_data_, false)) {
            data_.pop_back(); // the line end behind the last one
            std::string data = std::exchange(data_, {});
            if (!data.empty())
                return data;
        }
    }
    return std::nullopt;
}

// A CR at the end may have its LF still to come, so it waits for that.
std::optional<std::string_view> event_reader::take_line()
{
    if (!has_begun_ && bytes_.size() - at_ >= 3) {
        has_begun_ = true;
        if (std::string_view(bytes_).substr(at_).starts_with("\xef\xbb\xbf"))
            at_ += 3;
    }
    const std::size_t end = bytes_.find_first_of("\r\n", std::max(at_, searched_));
    searched_ = std::min(end, bytes_.size());
    if (end == bytes_.npos || (bytes_[end] == '\r' && end + 1 == bytes_.size()))
        return std::nullopt;
    const std::string_view line = std::string_view(bytes_).substr(at_, end - at_);
    at_ = end + (bytes_[end] == '\r' && bytes_[end + 1] == '\n' ? 2 : 1);
    has_begun_ = true;
    return line;
}

void event_reader::take_field(std::string_view line)
{
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    std::string_view value = colon == line.npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' '))
        value.remove_prefix(1);
    if (name == "data") {
        data_.append(value).push_back('\n');
        has_data_ = true;
    } else if (name == "id" && value.find('\0') == value.npos) {
        id_ = value;
    } else if (name == "retry") {
        std::uint32_t number = 0;
        const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (failed == std::errc() && end == value.data() + value.size())
            retry_ = std::chrono::milliseconds(number);
    }
}

} // namespace gateway
