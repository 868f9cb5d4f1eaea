#pragma once

#include "mcp/server/catalogue.hpp"

#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace partyline::mcp {

/// What an argument belongs to that is to be completed.
enum class reference_type : std::uint8_t { prompt, resource };
BOOST_DESCRIBE_ENUM(reference_type, prompt, resource)
constexpr auto notes_of(partyline::of<reference_type>)
{
    return notes(note(reference_type::prompt, wire_name("ref/prompt")),
                 note(reference_type::resource, wire_name("ref/resource")));
}

struct completed_reference {
    reference_type type{};
    std::optional<std::string> name; // of a prompt
    std::optional<std::string> uri;  // of a resource, or a template
};
BOOST_DESCRIBE_STRUCT(completed_reference, (), (type, name, uri))

struct completed_argument {
    std::string name;
    std::string value; // how it begins
};
BOOST_DESCRIBE_STRUCT(completed_argument, (), (name, value))

struct complete_params {
    completed_reference ref;
    completed_argument argument;
};
BOOST_DESCRIBE_STRUCT(complete_params, (), (ref, argument))

/// The result of `completion/complete` with these params. Throws `rpc_error` for what there is not, and for what is
/// hidden by `by`, as for that.
boost::json::object complete_argument(const catalogue& of, const complete_params& given, const access_view* by);

} // namespace partyline::mcp
