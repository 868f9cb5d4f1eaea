#include "mcp/server/sessions/session_client.hpp"

#include <typeinfo>
#include <utility>

namespace partyline::mcp {

std::shared_ptr<server_lifecycle> session_of(const request_context& rpc)
{
    std::shared_ptr<lifecycle> known = rpc.session_lifecycle();
    const lifecycle* const any = known.get();
    if (!any || typeid(*any) != typeid(server_lifecycle))
        return nullptr;
    return std::static_pointer_cast<server_lifecycle>(std::move(known));
}

client_facts_ptr client_of(const request_context& rpc, const server_lifecycle* session)
{
    if (const client_facts_ptr* const told = rpc.facts<client_facts_ptr>())
        return *told;
    static const client_facts_ptr unknown = new client_facts();
    return session ? session->client() : unknown;
}

} // namespace partyline::mcp
