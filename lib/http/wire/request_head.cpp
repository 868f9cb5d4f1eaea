#include "http/wire/request_head.hpp"

namespace partyline::http {

bool is_same_name(std::string_view came, std::string_view lower) noexcept
{
    for (std::size_t i = 0; i < came.size(); ++i) {
        const char c = came[i];
        if (c != lower[i] && (c < 'A' || c > 'Z' || static_cast<char>(c + ('a' - 'A')) != lower[i]))
            return false;
    }
    return true;
}

std::string_view find_field(std::span<const field> fields, std::string_view name) noexcept
{
    for (const field& one : fields) {
        if (is_name(one.name, name))
            return one.value.data() ? one.value : std::string_view("", 0);
    }
    return {};
}

std::size_t request_head::count(std::string_view name) const noexcept
{
    std::size_t found = 0;
    for (const field& one : fields)
        found += is_name(one.name, name) ? 1 : 0;
    return found;
}

} // namespace partyline::http
