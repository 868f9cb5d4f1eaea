#include <partyline/rpc/detail/argument_source.hpp>

#include "rpc/element_cursor.hpp"

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
    : arena_(buffer_, sizeof buffer_), parameters_(parameters), slots_(slots), context_(context),
      how_(context, &problems_), whole_(how_)
{
    if (!params.empty() && params.text().front() == '{')
        match_object(params);
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
    is_matched_ = given >= parameters_.required() && given <= parameters_.count();
    if (!is_matched_)
        refuse(whole_, parameters_.expected_count(), std::to_string(given));
}

void argument_source::match_object(json_view params)
{
    is_matched_ = parameters_.has_names() || parameters_.count() == 0;
    if (!is_matched_) {
        refuse(whole_, "array (parameters by position)", "object");
        return;
    }
    for (element_cursor members(params); members.next();) {
        const std::size_t index = parameters_.find(members.name());
        if (index != parameters_.count())
            slots_[index] = members.value(); // of duplicates the last wins
        else if (!problems_.is_full() && is_refused(members.name()))
            refuse_unknown_name(whole_, members.name(), parameters_.joined_names());
    }
}

bool argument_source::is_refused(std::string_view unknown) const noexcept
{
    return !context_.is_own_member(unknown) &&
           parameters_.unknown().value_or(how_.unknown()) == unknown_members::refused;
}

std::optional<boost::json::value> argument_source::build(std::size_t index, boost::json::storage_ptr storage)
{
    if (const auto integer = read_integer(slots_[index].text()))
        return boost::json::value(*integer, std::move(storage));
    auto built = slots_[index].try_to_value(std::move(storage));
    if (built)
        return std::move(*built);
    problems_.add(place(index), built.error());
    return std::nullopt;
}

std::optional<std::string_view> argument_source::string(std::size_t index)
{
    const std::string_view text = slots_[index].text();
    if (text.front() != '"') {
        if (const std::optional<boost::json::value> other = value(index))
            refuse_kind(place(index), "string", *other);
        return std::nullopt;
    }
    scanner scan;
    scan.start(text);
    scan.decode_half_pairs(scanner::half_pairs::refused);
    std::string_view decoded;
    std::string memory;
    if (!scan.read_string(text.data(), decoded, memory)) {
        value(index); // notes why
        return std::nullopt;
    }
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
