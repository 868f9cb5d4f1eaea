#include "mcp/server/features/tool.hpp"

#include "mcp/wire/descriptions.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/refusals.hpp"
#include "mcp/wire/written_object.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/rpc/detail/schema_type.hpp>

#include <boost/json/array.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace json = boost::json;
using partyline::detail::make_schema;
using partyline::detail::schema_type;

namespace partyline::mcp {
namespace {

bool is_name_byte(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

std::string checked_tool_name(std::string name)
{
    constexpr std::size_t longest = 128;
    if (name.empty() || name.size() > longest || !std::all_of(name.begin(), name.end(), is_name_byte))
        throw std::invalid_argument("\"" + name +
                                    "\" is no name of a tool: these have 1 to 128 letters, digits, \"_\", "
                                    "\"-\" and \".\"");
    return name;
}

json::object schema_of_parameters(const std::vector<detail::tool_parameter>& parameters)
{
    json::object properties;
    json::array required;
    for (const detail::tool_parameter& one : parameters) {
        json::object type = make_schema(one.type());
        put_text(type, "description", one.text);
        properties[one.name] = std::move(type);
        if (one.is_required)
            required.emplace_back(one.name);
    }
    json::object made{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty())
        made["required"] = std::move(required);
    made["additionalProperties"] = false;
    return made;
}

std::string write_input_schema(const detail::tool_binding& bound)
{
    if (bound.written_schema)
        return bound.written_schema->text();
    return object_text(bound.whole ? make_schema(bound.whole()) : schema_of_parameters(bound.parameters));
}

// Of a schema that has been read before.
mirrored_arguments mirrored_in(const std::string& schema)
{
    if (schema.find("x-mcp-header") == schema.npos)
        return {};
    return find_mirrored_arguments(json_text(schema).to_value().as_object());
}

json::value parse_written(const json_text& text, const char* what)
{
    try {
        json::value read = text.to_value();
        const json::object* const members = read.if_object();
        const json::value* const type = members ? members->if_contains("type") : nullptr;
        if (type && type->is_string() && type->get_string() == "object")
            return read;
    } catch (const std::invalid_argument& failed) {
        throw std::invalid_argument(std::string("the ") + what + " schema is no JSON: " + failed.what());
    } catch (const rpc_error& failed) {
        throw std::invalid_argument(std::string("the ") + what + " schema can't be read: " + failed.what());
    }
    throw std::invalid_argument(std::string("the ") + what + " schema is no object with \"type\": \"object\"");
}

std::optional<schema> compile_written(const detail::tool_binding& bound)
{
    if (!bound.written_schema)
        return std::nullopt;
    return schema::compile(parse_written(*bound.written_schema, "input"));
}

std::string write_output_schema(const detail::tool_binding& bound, const tool_options& options)
{
    if (options.output_schema) {
        parse_written(*options.output_schema, "output");
        return options.output_schema->text();
    }
    if (!bound.result)
        return {};
    const schema_type type = bound.result();
    json::object made = make_schema(type, {true, {unknown_members::ignored, empty_optionals::left_out}});
    if (bound.is_result_wrapped)
        made = {{"type", "object"},
                {"properties", json::object{{"result", std::move(made)}}},
                {"required", json::array{"result"}}};
    return object_text(made);
}

std::unique_ptr<detail::call_handler> handler_of(detail::tool_binding& bound)
{
    return std::move(bound.handler);
}

void put_hint(json::object& to, std::string_view name, std::optional<bool> hint)
{
    if (hint)
        to[name] = *hint;
}

} // namespace

tool::tool(std::string name, std::string description, detail::tool_binding bound, tool_options options)
    : feature(feature_kind::tool, checked_tool_name(std::move(name)), handler_of(bound), options.run,
              methods::call_tool),
      description_(std::move(description)), options_(std::move(options)), checked_(compile_written(bound)),
      input_schema_(write_input_schema(bound)), output_schema_(write_output_schema(bound, options_)),
      mirrored_(mirrored_in(input_schema_))
{
}

json::object tool::hints() const
{
    json::object made;
    put_hint(made, "readOnlyHint", options_.read_only);
    put_hint(made, "destructiveHint", options_.destructive);
    put_hint(made, "idempotentHint", options_.idempotent);
    put_hint(made, "openWorldHint", options_.open_world);
    return made;
}

void tool::describe(byte_buffer& out, revision r) const
{
    json::object said{{"name", key()}};
    if (r >= revision::v2025_06_18) {
        put_text(said, "title", options_.title);
        put_meta(said, options_.meta);
    }
    put_text(said, "description", description_);
    if (json::object given = hints(); !given.empty() && r >= revision::v2025_03_26)
        said["annotations"] = std::move(given);
    if (r >= revision::v2025_11_25)
        put_icons(said, options_.icons);
    write_object(out, said);
    add_written_member(out, "inputSchema", input_schema_);
    if (!output_schema_.empty() && r >= revision::v2025_06_18)
        add_written_member(out, "outputSchema", output_schema_);
}

json_view tool::arguments(const request_members& of, std::string&) const
{
    return given_arguments(of);
}

std::string tool::check(json_view arguments) const
{
    if (!checked_)
        return {};
    const std::vector<mismatch> problems = checked_->check(arguments.to_value());
    if (problems.empty())
        return {};
    std::string words = problems.size() == 1 ? std::string("The arguments do not fit")
                                             : std::to_string(problems.size()) + " things in the arguments do not fit";
    const char* between = ": ";
    for (const mismatch& one : problems) {
        words += between + (one.where.empty() ? std::string("the whole") : '"' + one.where + '"') + ": expected " +
                 one.expected + ", got " + one.got;
        between = "; ";
    }
    return words;
}

} // namespace partyline::mcp
