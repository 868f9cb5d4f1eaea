#pragma once

#include "mcp/server/server_facts.hpp"
#include "mcp/wire/extension_methods.hpp"

#include <partyline/mcp/server/extension_options.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/access_view.hpp>

#include <boost/json/object.hpp>

#include <memory>
#include <string>
#include <vector>

namespace partyline::mcp {

/// An extension of the protocol that a server has, and its methods as sessions find them. It does not change.
class extension {
public:
    /// `server` lives longer. Throws `std::invalid_argument` for what `server::add_extension` refuses of it alone,
    /// except for its topics.
    extension(std::string name, boost::json::object settings, method_table methods, extension_options how,
              const server_facts& server);
    extension(const extension&) = delete;
    extension& operator=(const extension&) = delete;

    const std::string& name() const noexcept { return name_; }
    const boost::json::object& settings() const noexcept { return settings_; }
    const extension_methods& methods() const noexcept { return methods_; }
    const std::vector<listen_topic>& topics() const noexcept { return how_.topics; }
    /// Whether it has methods, and all of them are hidden from who may call what `by` says.
    bool is_hidden_from(const access_view* by) const noexcept;
    /// Whether it is there for a client of this revision with this access.
    bool is_offered(revision to, const access_view* by) const noexcept;

private:
    request_middleware_list chain(const server_facts& server) const;

    const std::string name_;
    const boost::json::object settings_;
    const extension_options how_;
    const extension_methods methods_;
};

/// Throws `std::invalid_argument` where two extensions of a server have one name or one method.
void require_different(const extension& known, const extension& added);

using extension_ptr = std::shared_ptr<const extension>;

} // namespace partyline::mcp
