#include <partyline/rpc/detail/argument_source.hpp>

#include "rpc/element_cursor.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/rpc/detail/problem_list.hpp>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

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

} // namespace

argument_source::argument_source(const request_context& context, json_view params, const parameter_list& parameters,
                                 array_view<json_view> slots)
    : arena_(buffer_, sizeof buffer_), parameters_(parameters), slots_(slots), context_(context), how_(context),
      whole_(how_), params_(params)
{
    if (!params.empty() && params.text().front() == '{')
        match_object();
    else
        match_array(params);
}

parameter_place argument_source::place(std::size_t index) const noexcept
{
    if (parameters_.has_names())
        return parameter_place(whole_, parameters_.name(index));
    return parameter_place(whole_, index);
}

void argument_source::match_array(json_view params)
{
    std::size_t given = 0;
    for (element_cursor elements(params.empty() ? json_view::checked("[]") : params); elements.next(); ++given)
        if (given < slots_.size())
            slots_[given] = elements.value();
    if (given < parameters_.required() || given > parameters_.count())
        refuse_count(given);
}

void argument_source::match_object()
{
    if (!parameters_.has_names() && parameters_.count() > 0)
        throw_invalid_params(whole_, "array (parameters by position)", "object");
    for (element_cursor members(params_); members.next();) {
        const std::size_t index = parameters_.find(members.name());
        if (index != parameters_.count())
            slots_[index] = members.value(); // of duplicates the last wins
        else if (!has_unknown_ && !context_.is_own_member(members.name()))
            has_unknown_ = parameters_.unknown().value_or(how_.unknown()) == unknown_members::refused;
    }
}

void argument_source::collect(problem_list& into)
{
    arena_.release(); // else all that was read before would stay until the request has been answered
    how_.collect(into);
    if (!has_unknown_)
        return;
    for (element_cursor members(params_); members.next();)
        if (is_unknown(members.name()))
            into.attempt([&] { throw_unknown_name(whole_, members.name(), parameters_.joined_names()); });
}

bool argument_source::is_unknown(std::string_view name) const noexcept
{
    return parameters_.find(name) == parameters_.count() && !context_.is_own_member(name);
}

void argument_source::refuse_count(std::size_t got) const
{
    throw_invalid_params(whole_, parameters_.expected_count(), std::to_string(got));
}

boost::json::value argument_source::build(std::size_t index, boost::json::storage_ptr storage) const
{
    if (const auto integer = read_integer(slots_[index].text()))
        return boost::json::value(*integer, std::move(storage));
    try {
        return slots_[index].to_value(std::move(storage));
    } catch (const rpc_error& problem) { // a number that nothing can hold; say in which argument
        throw_named(place(index), problem);
    }
}

std::string_view argument_source::string(std::size_t index)
{
    const std::string_view text = slots_[index].text();
    if (text.front() != '"')
        throw_wrong_kind(place(index), "string", value(index));
    scanner scan;
    scan.start(text);
    scan.decode_half_pairs(scanner::half_pairs::refused);
    std::string_view decoded;
    std::string memory;
    if (!scan.read_string(text.data(), decoded, memory))
        value(index); // throws
    return decoded.data() == memory.data() ? keep(decoded) : decoded;
}

std::string_view argument_source::keep(std::string_view text)
{
    if (text.empty())
        return {};
    char* const kept = static_cast<char*>(arena_.allocate(text.size(), 1));
    std::memcpy(kept, text.data(), text.size());
    return {kept, text.size()};
}

} // namespace partyline::detail
