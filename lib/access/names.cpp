#include "access/names.hpp"

#include <partyline/protocol/printable.hpp>

#include <algorithm>

namespace partyline::access {
namespace {

constexpr std::size_t max_name_bytes = 256;

} // namespace

bool is_principal(std::string_view text)
{
    return !text.empty() && text.size() <= max_name_bytes && printable(text) == text;
}

bool is_scope(std::string_view text) noexcept
{
    return !text.empty() && text.size() <= max_name_bytes &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f' && c != '"' && c != '\\'; });
}

} // namespace partyline::access
