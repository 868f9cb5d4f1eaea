#include "http/wire/request_head.hpp"

#include "http/wire/field_list.hpp"

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
            return one.value.data() ? one.value : std::string_view("");
    }
    return {};
}

bool has_element(std::span<const field> fields, std::string_view name, std::string_view element)
{
    bool is_there = false;
    for (const field& each : fields) {
        if (is_name(each.name, name))
            for_each_element(each.value, [&](std::string_view one) { is_there = is_there || is_name(one, element); });
    }
    return is_there;
}

std::size_t request_head::count(std::string_view name) const noexcept
{
    std::size_t found = 0;
    for (const field& one : fields)
        found += is_name(one.name, name) ? 1 : 0;
    return found;
}

} // namespace partyline::http
