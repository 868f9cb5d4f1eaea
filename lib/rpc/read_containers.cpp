#include <partyline/rpc/detail/read_containers.hpp>

namespace partyline::detail {

std::string array_of(std::size_t size)
{
    return "array of " + std::to_string(size) + (size == 1 ? " element" : " elements");
}

const boost::json::array& read_array_of(const boost::json::value& value, const parameter_place& place, std::size_t size)
{
    const boost::json::array* array = value.if_array();
    if (!array)
        throw_wrong_kind(place, array_of(size), value);
    if (array->size() != size)
        throw_invalid_params(place, array_of(size), array_of(array->size()));
    return *array;
}

} // namespace partyline::detail
