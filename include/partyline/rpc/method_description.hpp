#pragma once

#include <partyline/config.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace partyline {

/// One parameter of a method, as a peer has to know it.
struct parameter_description {
    std::string name; ///< "argument1" where it has none
    /// Whether it has to be there.
    bool is_required = true;
    boost::json::object schema; ///< JSON Schema 2020-12
};

/// What is known of a method from how it was added: see `method_table::describe`.
struct method_description {
    /// The name that it is called by.
    std::string name;
    std::string description; ///< `method_options::description`
    /// Whether a request for it is answered "Method not found".
    bool is_notification = false;
    /// Whether the parameters can be given by name; if not, by position alone.
    bool has_names = false;
    /// Whether they can be given by position; if not, by name alone (`whole_params` of a struct).
    bool has_positions = true;
    /// In the order of their positions.
    std::vector<parameter_description> parameters;
    /// What the params are as a whole, where they can't be told apart into parameters (`whole_params<T>`,
    /// `json::value`): no parameters stand above then.
    std::optional<boost::json::object> whole;
    /// What is answered, as it is written: an empty `std::optional` is left out where it is a member, else null. Empty
    /// where nothing is known of it.
    boost::json::object result;
};

/// Whose methods these are.
struct service_description {
    /// What the service is called.
    std::string title;
    /// That of the service, not of OpenRPC.
    std::string version;
    /// What it is for; left out when empty.
    std::string description = {};
};

/// An OpenRPC 1.3 document: https://spec.open-rpc.org/
PARTYLINE_EXPORT boost::json::object openrpc_document(const service_description& of,
                                                      const std::vector<method_description>& methods);

} // namespace partyline
