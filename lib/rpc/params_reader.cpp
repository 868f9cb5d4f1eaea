#include <partyline/rpc/detail/params_reader.hpp>

#include "rpc/argument_source.hpp"
#include "rpc/problem_list.hpp"
#include "rpc/row_reader.hpp"
#include "rpc/text_source.hpp"
#include "rpc/value_source.hpp"

#include <string_view>
#include <utility>

namespace json = boost::json;

namespace partyline::detail {
namespace {

/// Reads by position.
template <class Reader>
bool read_elements(text_source& from, Reader& reader, const parameter_list& parameters)
{
    std::size_t given = 0;
    for (; from.next_element(); ++given)
        if (given == parameters.count() || !reader.read(given, from))
            return false;
    return given >= parameters.required();
}

/// Reads by name. What nobody knows is not looked at here.
template <class Reader>
bool read_named(text_source& from, Reader& reader, const request_context& context, const parameter_list& parameters)
{
    std::string_view name;
    while (from.next_member(name, reader.likely_name())) {
        const std::size_t index = reader.find(name);
        if (index != parameters.count()) {
            if (!reader.read(index, from))
                return false;
        } else if (context.is_own_member(name) ||
                   parameters.unknown().value_or(reading(context).unknown()) == unknown_members::ignored) {
            from.skip();
        } else {
            return false;
        }
    }
    return !from.has_failed();
}

error_object refused(std::string_view expected, std::string_view got)
{
    return {error_codes::invalid_params, "Invalid params", json::object{{"expected", expected}, {"got", got}}};
}

// Whether the params are of a kind, by how their text begins.
std::optional<error_object> check_kind(json_view params, char first, std::string_view expected)
{
    if (params.empty())
        return refused(expected, "nothing");
    if (params.text().front() != first)
        return refused(expected, first == '{' ? "array" : "object");
    return std::nullopt;
}

} // namespace

params_reader::params_reader(const request_context& context, json_view params,
                             const parameter_list& parameters) noexcept
    : context_(context), params_(params), parameters_(parameters)
{
}

params_reader::~params_reader() = default;

bool params_reader::read_text(void* into, array_view<const read_row> rows)
{
    if (params_.empty())
        return rows.empty();
    if (rows.size() > row_set::most)
        return false;
    try {
        const reading how(context_);
        text_source from(params_, how);
        row_reader reader(into, rows, [&](std::size_t index) {
            const wire_text& own = rows.begin()[index].name; // of a struct that stands for all of them
            return own.text.empty() ? wire_text{parameters_.name(index), parameters_.are_plain()} : own;
        });
        if (from.begin_array()) {
            if (!read_elements(from, reader, parameters_))
                return false;
        } else if (!parameters_.has_names() || !from.begin_object() ||
                   !read_named(from, reader, context_, parameters_)) {
            return false;
        }
        return reader.end(from);
    } catch (...) { // it is read again, from values, and comes to the same end
        return false;
    }
}

bool params_reader::read_values(void* into, array_view<const read_row> rows)
{
    values_ = std::make_unique<argument_source>(context_, params_, parameters_);
    return values_->read(into, rows);
}

error_object params_reader::refusal()
{
    return values_->problems().take();
}

bool read_whole_text(void* into, read_function read, const request_context& context, json_view params)
{
    if (params.empty())
        return false;
    try {
        const reading how(context);
        text_source from(params, how);
        return read(into, from);
    } catch (...) { // as above
        return false;
    }
}

std::optional<error_object> read_whole_value(void* into, read_function read, const request_context& context,
                                             json_view params)
{
    const boost::system::result<json::value, error_object> value = params.try_to_value();
    if (!value)
        return value.error();
    problem_list problems;
    const reading how(context, &problems);
    value_source from(params.empty() ? nullptr : &*value, how);
    bool is_read = false;
    problems.attempt([&] { is_read = read(into, from); });
    if (is_read && problems.empty())
        return std::nullopt;
    return problems.take();
}

boost::system::result<json::value, error_object> read_whole_object(json_view params)
{
    if (const std::optional<error_object> refusal = check_kind(params, '{', "object"))
        return *refusal;
    return params.try_to_value();
}

boost::system::result<json::value, error_object> read_whole_array(json_view params)
{
    if (const std::optional<error_object> refusal = check_kind(params, '[', "array"))
        return *refusal;
    return params.try_to_value();
}

} // namespace partyline::detail
