#include "mcp/server/features/extension.hpp"

#include "mcp/server/calls/request_chain.hpp"
#include "mcp/wire/written_object.hpp"

#include <partyline/mcp/server/requester.hpp>
#include <partyline/protocol/error.hpp>

#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

// Lets through what comes from a client that the extension is for.
class extension_gate {
public:
    // The name lives longer.
    extension_gate(const std::string& name, const extension_options& how)
        : name_(&name), since_(how.since), needs_client_(how.needs_client)
    {
    }

    void operator()(request_context& rpc) const
    {
        const requester client(rpc);
        if (client.revision() < since_)
            throw rpc_error(partyline::error_codes::method_not_found, "Method not found",
                            json::object{{"method", json::string(rpc.method())}});
        if (needs_client_)
            client.require_extension(*name_);
    }

private:
    const std::string* name_;
    revision since_;
    bool needs_client_;
};

} // namespace

extension::extension(std::string name, json::object settings, method_table methods, extension_options how,
                     const server_facts& server)
    : name_(checked_extension_name(std::move(name))), settings_(std::move(settings)), how_(std::move(how)),
      methods_(name_, std::move(methods), chain(server))
{
    object_text(settings_); // what can't be shown is found here, and not when somebody asks
}

void require_different(const extension& known, const extension& added)
{
    require_different(known.name(), known.methods(), added.name(), added.methods());
}

request_middleware_list extension::chain(const server_facts& server) const
{
    request_middleware_list all;
    all.add(envelope_middleware(server));
    all.add(extension_gate(name_, how_));
    all.add(server.options.around_requests);
    return all;
}

bool extension::is_hidden_from(const access_view* by) const noexcept
{
    return by && methods_.are_hidden_from(*by);
}

bool extension::is_offered(revision to, const access_view* by) const noexcept
{
    return to >= how_.since && !is_hidden_from(by);
}

} // namespace partyline::mcp
