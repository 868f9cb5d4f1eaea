#include "mcp/testing/published_schema.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <map>
#include <mutex>
#include <vector>

namespace json = boost::json;

namespace partyline::mcp {

published_schema::published_schema(std::string_view text)
    : document_(json::parse(text)), root_(document_.as_object().contains("$defs") ? "$defs" : "definitions"),
      whole_(schema::compile(document_))
{
}

const published_schema& published_schema::of(revision r)
{
    static std::mutex mutex;
    static std::map<revision, const published_schema> known;
    const std::lock_guard lock(mutex);
    return known.try_emplace(r, schema_text(r)).first->second;
}

bool published_schema::has(std::string_view definition) const
{
    return document_.at(root_).as_object().contains(definition);
}

std::string published_schema::problem(const json::value& value, std::string_view definition) const
{
    if (!has(definition))
        return std::string(definition) + " is not in this revision";
    const std::vector<mismatch> found = whole_.from("#/" + root_ + '/' + std::string(definition)).check(value);
    if (found.empty())
        return {};
    const mismatch& first = found.front();
    return std::string(definition) + " at \"" + first.where + "\": expected " + first.expected + ", got " + first.got;
}

} // namespace partyline::mcp
