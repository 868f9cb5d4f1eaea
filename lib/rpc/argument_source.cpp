#include "rpc/argument_source.hpp"

#include "rpc/element_cursor.hpp"
#include "rpc/text_source.hpp"
#include "rpc/value_source.hpp"

#include <charconv>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::detail {
namespace {

// By far the most frequent argument, and quicker read than the machinery for any value is set up.
std::optional<std::int64_t> read_integer(std::string_view text) noexcept
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const std::from_chars_result read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

array_view<json_view> make_slots(json::monotonic_resource& arena, std::size_t count)
{
    if (count == 0)
        return {};
    auto* const slots = static_cast<json_view*>(arena.allocate(count * sizeof(json_view), alignof(json_view)));
    std::uninitialized_default_construct_n(slots, count);
    return {slots, count};
}

} // namespace

argument_source::argument_source(const request_context& context, json_view params, const parameter_list& parameters)
    : arena_(buffer_, sizeof buffer_), parameters_(parameters), slots_(make_slots(arena_, parameters.count())),
      context_(context), how_(context, &problems_)
{
    if (!params.empty() && params.text().front() == '{')
        match_object(params);
    else
        match_array(params);
}

parameter_place argument_source::place(std::size_t index) const
{
    parameter_place at;
    if (parameters_.has_names())
        at.enter(parameters_.name(index));
    else
        at.enter(index);
    return at;
}

void argument_source::match_array(json_view params)
{
    std::size_t given = 0;
    for (element_cursor elements(params.empty() ? json_view::checked("[]") : params); elements.next(); ++given)
        if (given < slots_.size())
            slots_[given] = elements.value();
    is_matched_ = given >= parameters_.required() && given <= parameters_.count();
    if (!is_matched_)
        problems_.add(parameter_place(), parameters_.expected_count(), std::to_string(given));
}

void argument_source::match_object(json_view params)
{
    is_matched_ = parameters_.has_names() || parameters_.count() == 0;
    if (!is_matched_)
        return problems_.add(parameter_place(), "array (parameters by position)", "object");
    std::string names; // made once, where they are told
    for (element_cursor members(params); members.next();) {
        const std::size_t index = parameters_.find(members.name());
        if (index != parameters_.count())
            slots_[index] = members.value(); // of duplicates the last wins
        else if (!problems_.is_full() && is_refused(members.name())) {
            if (names.empty())
                names = parameters_.joined_names();
            problems_.add_unknown_name(parameter_place(), members.name(), names);
        }
    }
}

bool argument_source::is_refused(std::string_view unknown) const noexcept
{
    return !context_.is_own_member(unknown) &&
           parameters_.unknown().value_or(how_.unknown()) == unknown_members::refused;
}

bool argument_source::read(void* into, array_view<const read_row> rows)
{
    if (!is_matched_)
        return false;
    bool are_read = true;
    for (std::size_t i = 0; i != rows.size(); ++i)
        problems_.attempt([&] { are_read = read_one(into, rows[i], i) && are_read; });
    return are_read && problems_.empty();
}

bool argument_source::read_one(void* into, const read_row& row, std::size_t index)
{
    const json_view text = slots_[index];
    if (row.is_raw && !text.empty()) {
        text_source from(text, how_);
        return row.read(into, from);
    }
    const json::value* const value = text.empty() ? nullptr : build(index);
    if (!value && !text.empty())
        return false;
    value_source from(value, how_, place(index));
    return row.read(into, from);
}

// Null where none can be made, which is noted. It is not destroyed: all that it has is in the arena.
const json::value* argument_source::build(std::size_t index)
{
    void* const room = arena_.allocate(sizeof(json::value), alignof(json::value));
    if (const auto integer = read_integer(slots_[index].text()))
        return new (room) json::value(*integer, &arena_);
    auto built = slots_[index].try_to_value(&arena_);
    if (built)
        return new (room) json::value(std::move(*built));
    problems_.add(place(index), built.error());
    return nullptr;
}

} // namespace partyline::detail
