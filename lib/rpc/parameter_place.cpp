#include "rpc/parameter_place.hpp"

#include "protocol/json/utf8.hpp"
#include "rpc/wording.hpp"

namespace json = boost::json;

namespace partyline::detail {

json::value parameter_place::to_json() const
{
    if (is_whole())
        return nullptr;
    if (steps_.size() == 1 && !steps_.front().is_name())
        return steps_.front().index;
    std::string path;
    for (const step& next : steps_)
        append(path, next);
    return json::value(path);
}

void parameter_place::append(std::string& path, const step& next)
{
    if (!next.is_name())
        path.append("[").append(std::to_string(next.index)).append("]");
    else
        path.append(path.empty() ? "" : ".").append(utf8::shortened(next.name, max_shown_bytes));
}

} // namespace partyline::detail
