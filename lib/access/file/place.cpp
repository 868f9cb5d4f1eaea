#include "access/file/place.hpp"

#include <partyline/protocol/printable.hpp>

#include <algorithm>

namespace partyline::access {
namespace {

bool is_plain(std::string_view name) noexcept
{
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

} // namespace

void place::append_to(std::string& text) const
{
    if (!around_)
        return;
    around_->append_to(text);
    if (is_element_)
        text += '[' + std::to_string(index_) + ']';
    else if (!is_plain(name_))
        text += "[\"" + printable(name_, 64) + "\"]";
    else
        text.append(text.empty() ? "" : ".").append(name_);
}

std::string place::text() const
{
    std::string text;
    append_to(text);
    return text;
}

file_error::file_error(const place& where, const std::string& reason)
    : std::runtime_error(where.text().empty() ? reason : where.text() + ": " + reason)
{
}

} // namespace partyline::access
