#pragma once

#include <partyline/config.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace partyline {

/// One parameter of a method, for callers.
struct parameter_description {
    std::string name; ///< "argument1" where it has none
    /// Whether the parameter is required.
    bool is_required = true;
    boost::json::object schema; ///< JSON Schema 2020-12
};

/// The description of a method, from the way in which it was added: see `method_table::describe`.
struct method_description {
    /// The name of the method.
    std::string name;
    std::string description; ///< `method_options::description`
    /// Whether a request for it is answered "Method not found".
    bool is_notification = false;
    /// Whether the parameters can be given by name; if not, by position alone.
    bool has_names = false;
    /// Whether they can be given by position; if not, by name alone (`whole_params` of a struct).
    bool has_positions = true;
    /// The parameters, in the order of their positions.
    std::vector<parameter_description> parameters;
    /// The schema of the params as a whole, where they can't be divided into parameters (`whole_params<T>`,
    /// `json::value`): then `parameters` is empty.
    std::optional<boost::json::object> whole;
    /// The schema of the result, as it is written: an empty `std::optional` is left out where it is a member, else
    /// null. Empty where it is unknown.
    boost::json::object result;
};

/// The service that the methods belong to.
struct service_description {
    /// The name of the service.
    std::string title;
    /// The version of the service, not of OpenRPC.
    std::string version;
    /// A description; left out when empty.
    std::string description = {};
};

/// An OpenRPC 1.3 document: https://spec.open-rpc.org/
PARTYLINE_EXPORT boost::json::object openrpc_document(const service_description& of,
                                                      const std::vector<method_description>& methods);

} // namespace partyline
