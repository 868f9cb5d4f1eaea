#include <partyline/rpc/method_description.hpp>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace partyline {
namespace {

void add_text(json::object& to, std::string_view name, const std::string& text)
{
    if (!text.empty())
        to.emplace(name, text);
}

json::object make_parameter(const parameter_description& of, bool is_required)
{
    json::object schema = of.schema;
    if (is_required && !of.is_required) // null stands for what is left out
        schema = {{"anyOf", json::array{std::move(schema), json::object{{"type", "null"}}}}};
    json::object made{{"name", of.name}, {"required", is_required}, {"schema", std::move(schema)}};
    if (const json::value* const text = of.schema.if_contains("description"))
        made.emplace("description", *text);
    return made;
}

// OpenRPC wants what may be left out behind what must be there: so they stand in the document where they have names,
// and what comes before one that must be there must be given, too, where they have none.
struct ordered_parameters {
    std::vector<parameter_description> all;
    std::size_t required = 0;
    bool is_moved = false;
};

ordered_parameters order_parameters(const method_description& of)
{
    const auto must_be_there = [](const parameter_description& one) { return one.is_required; };
    ordered_parameters made{of.parameters};
    std::vector<parameter_description>& all = made.all;
    made.required =
        static_cast<std::size_t>(std::find_if(all.rbegin(), all.rend(), must_be_there).base() - all.begin());
    made.is_moved = of.has_names && !std::is_partitioned(all.begin(), all.end(), must_be_there);
    if (!made.is_moved)
        return made;
    all.clear();
    std::copy_if(of.parameters.begin(), of.parameters.end(), std::back_inserter(all), must_be_there);
    made.required = all.size();
    std::remove_copy_if(of.parameters.begin(), of.parameters.end(), std::back_inserter(all), must_be_there);
    return made;
}

std::string_view param_structure(const method_description& of, bool is_moved)
{
    if (!of.has_names)
        return "by-position";
    return of.has_positions && !is_moved ? "either" : "by-name";
}

// Where params can't be told apart, OpenRPC has no place for what they are as a whole: that is an extension.
json::object make_method(const method_description& of)
{
    json::object made{{"name", of.name}};
    add_text(made, "description", of.description);
    json::array parameters;
    const ordered_parameters ordered = order_parameters(of);
    for (std::size_t i = 0; i != ordered.all.size(); ++i)
        parameters.push_back(make_parameter(ordered.all[i], i < ordered.required));
    made.emplace("params", std::move(parameters));
    if (of.whole)
        made.emplace("x-params", *of.whole);
    else
        made.emplace("paramStructure", param_structure(of, ordered.is_moved));
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
