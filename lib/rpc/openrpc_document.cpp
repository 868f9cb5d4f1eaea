#include <partyline/rpc/method_description.hpp>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

namespace json = boost::json;

namespace partyline {
namespace {

void add_text(json::object& to, std::string_view name, const std::string& text)
{
    if (!text.empty())
        to.emplace(name, text);
}

json::object make_parameter(const parameter_description& of)
{
    json::object made{{"name", of.name}, {"required", of.is_required}, {"schema", of.schema}};
    if (const json::value* const text = of.schema.if_contains("description"))
        made.emplace("description", *text);
    return made;
}

// Where params can't be told apart, OpenRPC has no place for what they are as a whole: that is an extension.
json::object make_method(const method_description& of)
{
    json::object made{{"name", of.name}};
    add_text(made, "description", of.description);
    json::array parameters;
    for (const parameter_description& parameter : of.parameters)
        parameters.push_back(make_parameter(parameter));
    made.emplace("params", std::move(parameters));
    if (of.whole)
        made.emplace("x-params", *of.whole);
    else
        made.emplace("paramStructure", !of.has_names ? "by-position" : of.has_positions ? "either" : "by-name");
    if (!of.is_notification)
        made.emplace("result", json::object{{"name", "result"}, {"schema", of.result}});
    return made;
}

} // namespace

json::object openrpc_document(const service_description& of, const std::vector<method_description>& methods)
{
    json::object info{{"title", of.title}, {"version", of.version}};
    add_text(info, "description", of.description);
    json::array all;
    for (const method_description& one : methods)
        all.push_back(make_method(one));
    return {{"openrpc", "1.3.2"}, {"info", std::move(info)}, {"methods", std::move(all)}};
}

} // namespace partyline
