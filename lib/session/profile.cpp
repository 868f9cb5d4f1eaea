#include <partyline/session/profile.hpp>

#include <boost/json/value.hpp>

namespace partyline {

bool profile::is_replaceable(const boost::json::value& progress)
{
    const boost::json::object* const object = progress.if_object();
    const boost::json::value* const kind = object ? object->if_contains("kind") : nullptr;
    const boost::json::string* const name = kind ? kind->if_string() : nullptr;
    return !name || (*name != "begin" && *name != "end");
}

} // namespace partyline
