#include <partyline/protocol/json_text.hpp>

#include "protocol/json/value_builder.hpp"
#include "protocol/json/value_memory.hpp"

#include <partyline/protocol/limits.hpp>

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace partyline {
namespace {

namespace json = boost::json;

// `at` is where in `text` a string is, where one is refused.
error_object error_of(const value_builder::refusal& what, std::string_view text, std::size_t at)
{
    constexpr std::size_t escape = 6; // \uD83D
    json::object data;
    if (what.members != 0) {
        data["expected"] = "an object whose names do not collide";
        data["got"] = std::to_string(what.members) + " members whose names do";
    } else if (what.number.empty()) {
        data["expected"] = "a string of whole characters";
        data["got"] = "a lone surrogate: " + std::string(text.substr(at, escape));
        data["offset"] = at;
    } else {
        data["expected"] = "a finite number";
        data["got"] = what.number.substr(0, 64); // enough to find it by; it may be megabytes long
    }
    return {error_codes::invalid_params, "Invalid params", std::move(data)};
}

// The value within text that nobody has checked.
json_view check(const std::string& text)
{
    scanner scan;
    scan.start(text);
    const char* const begin = scanner::skip_space(text.c_str());
    const char* const end = scan.skip_value(begin, limits().depth);
    if (!end || !scan.at_end(end))
        throw std::invalid_argument("not JSON, or nested too deep, at byte " + std::to_string(scan.offset()));
    return json_view::checked(std::string_view(begin, std::size_t(end - begin)));
}

} // namespace

json::value json_text::to_value() const
{
    return checked_ || empty() ? json_view::checked(text_).to_value() : check(text_).to_value();
}

bool json_view::is_built() const noexcept
{
    return built_ && built_->has_value();
}

json::value json_view::to_value() const
{
    if (is_built())
        return built_->take();
    return to_value(value_memory::for_text(text_.size()));
}

json::value json_view::to_value(json::storage_ptr storage) const
{
    return try_to_value(std::move(storage)).value();
}

boost::system::result<json::value, error_object> json_view::try_to_value() const
{
    if (is_built())
        return built_->take();
    return try_to_value(value_memory::for_text(text_.size()));
}

boost::system::result<json::value, error_object> json_view::try_to_value(json::storage_ptr storage) const
{
    if (empty())
        return json::value(nullptr, std::move(storage));
    value_builder builder;
    scanner scan;
    scan.start(text_);
    if (!builder.read(scan, text_.data(), std::numeric_limits<std::size_t>::max(), std::move(storage)))
        return error_of(builder.refused(), text_, scan.offset());
    return builder.take();
}

} // namespace partyline
