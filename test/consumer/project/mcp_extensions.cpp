// A user's MCP server with tasks and a skill, and a client that reads skills, against the installed library.
#include <partyline/mcp/client.hpp>
#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp_extensions/client_skills.hpp>
#include <partyline/mcp_extensions/server_skills.hpp>
#include <partyline/mcp_extensions/server_tasks.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>

#include <utility>

namespace mcp = partyline::mcp;

int main()
{
    mcp::server server("consumer", "1.0.0");
    const mcp::server_tasks tasks(server);
    mcp::server_skills skills(server);
    skills.add("greet", {{"name", "greet"}, {"description", "Greets people."}}, "Say hello.\n");

    boost::asio::io_context context;
    auto [near, far] = partyline::memory_stream::make_pair(context.get_executor());
    mcp::client client(std::move(near));
    const mcp::client_skills of_server(client);
    return server.methods()->find("tasks/get") && server.methods()->find("skills/list") ? 0 : 1;
}
