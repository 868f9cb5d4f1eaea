#pragma once

#include "mcp/wire/extension_methods.hpp"

#include <partyline/config.hpp>
#include <partyline/mcp/client/client_extension.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/json/object.hpp>

#include <memory>
#include <string>

namespace partyline::mcp {

/// An extension of the protocol that a client has declared.
struct PARTYLINE_EXPORT declared_extension {
    /// Throws `std::invalid_argument` for what `client::add_extension` refuses of it alone.
    declared_extension(std::string named, boost::json::object with, method_table has, client_extension_options how);

    std::string name;
    boost::json::object settings;
    std::shared_ptr<const extension_methods> methods;
    client_extension_options options;
};

} // namespace partyline::mcp
