#include "mcp/server/features/prompt.hpp"

#include "mcp/wire/descriptions.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/refusals.hpp"
#include "mcp/wire/written_object.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/array.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace json = boost::json;
using partyline::detail::schema_member;
using partyline::detail::schema_type;

namespace partyline::mcp {
namespace {

std::string checked_prompt_name(std::string name)
{
    if (name.empty())
        throw std::invalid_argument("a prompt has a name");
    return name;
}

json::object describe_argument(const schema_member& of)
{
    json::object said{{"name", json::string(of.name)}};
    put_text(said, "description", std::string(of.text));
    if (of.is_required)
        said["required"] = true;
    return said;
}

const schema_member* find(const schema_type& in, std::string_view name) noexcept
{
    const auto found =
        std::find_if(in.members.begin(), in.members.end(), [&](const auto& one) { return one.name == name; });
    return found == in.members.end() ? nullptr : &*found;
}

} // namespace

prompt::prompt(std::string name, std::string description, detail::prompt_binding bound, prompt_options options)
    : feature(feature_kind::prompt, checked_prompt_name(std::move(name)), std::move(bound.handler), options.run,
              methods::get_prompt),
      description_(std::move(description)), options_(std::move(options)),
      arguments_(bound.arguments ? bound.arguments() : schema_type{.what = schema_type::kind::object})
{
}

void prompt::describe(byte_buffer& out, revision r) const
{
    json::object said{{"name", key()}};
    put_text(said, "description", description_);
    json::array arguments;
    for (const schema_member& one : arguments_.members)
        arguments.push_back(describe_argument(one));
    if (!arguments.empty())
        said["arguments"] = std::move(arguments);
    if (r >= revision::v2025_06_18) {
        put_text(said, "title", options_.title);
        put_meta(said, options_.meta);
    }
    if (r >= revision::v2025_11_25)
        put_icons(said, options_.icons);
    write_object(out, said);
}

json_view prompt::arguments(const request_members& of, std::string&) const
{
    return given_arguments(of);
}

std::vector<std::string> prompt::names_of(std::string_view argument) const
{
    std::vector<std::string> names;
    const schema_member* const known = find(arguments_, argument);
    const schema_type type = known ? known->type() : schema_type();
    if (type.what == schema_type::kind::names)
        for (const auto& one : type.enumerators)
            names.emplace_back(one.name);
    return names;
}

bool prompt::completes(std::string_view argument) const noexcept
{
    return find(arguments_, argument) != nullptr;
}

} // namespace partyline::mcp
