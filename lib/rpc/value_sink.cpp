#include "rpc/value_sink.hpp"

#include <utility>

namespace json = boost::json;

namespace partyline::detail {

void value_sink::add(json::value value)
{
    if (open_.empty())
        made_ = std::move(value);
    else if (json::array* const array = open_.back().made.if_array())
        array->push_back(std::move(value));
    else
        open_.back().made.get_object().emplace(open_.back().name, std::move(value)); // the first of a name stays
}

bool value_sink::begin(json::value empty)
{
    open_.push_back({std::move(empty), {}});
    return true;
}

bool value_sink::begin_object(std::size_t members)
{
    json::object object;
    object.reserve(members);
    return begin(std::move(object));
}

void value_sink::end()
{
    json::value ended = std::move(open_.back().made);
    open_.pop_back();
    add(std::move(ended));
}

json::value make_value(write_function write, const void* from, empty_optionals empty)
{
    value_sink sink(empty);
    write(sink, from);
    return sink.take();
}

} // namespace partyline::detail
