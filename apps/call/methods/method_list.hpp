#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace call {

/// Whether this is a document that tells of methods, be it of none.
bool lists_methods(const boost::json::value& document);

/// The methods that an OpenRPC document tells of, a line each: `add(a: integer, b?: integer) -> integer  Adds`. What
/// the document does not say is left out; what is no such document has no lines.
std::string list_methods(const boost::json::value& document);

} // namespace call
