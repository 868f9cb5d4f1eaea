#include <partyline/rpc/detail/read_argument.hpp>

namespace partyline::detail {
namespace {

void check_kind(json_view params, char first, std::string_view expected)
{
    if (params.empty())
        throw_missing(parameter_place(), expected);
    if (params.text().front() != first)
        throw_invalid_params(parameter_place(), expected, first == '{' ? "array" : "object");
}

} // namespace

boost::json::object read_whole_object(json_view params)
{
    check_kind(params, '{', "object");
    return std::move(params.to_value().as_object());
}

boost::json::array read_whole_array(json_view params)
{
    check_kind(params, '[', "array");
    return std::move(params.to_value().as_array());
}

} // namespace partyline::detail
