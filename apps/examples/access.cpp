// Authentication and authorization: two agents share a server of tools over HTTP, and an access file says who may call
// what. It is both the server and the agents: example-access

#include <partyline/access/gate.hpp>
#include <partyline/http.hpp>
#include <partyline/mcp/client.hpp>
#include <partyline/mcp/mcp.hpp>

#include <boost/asio/io_context.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

namespace fs = std::filesystem;
namespace http = partyline::http;
namespace mcp = partyline::mcp;
using partyline::named;

// The file has digests of tokens: whoever reads it is not let in.
void write_access_file(const fs::path& path, const std::string& reader, const std::string& editor)
{
    std::ofstream(path) << R"({ "tokens": [
    { "principal": "reader", "scopes": ["notes:read"], "sha256": ")"
                        << reader << R"(" },
    { "principal": "editor", "scopes": ["notes:write"], "sha256": ")"
                        << editor << R"(" }],
  "implies": { "notes:write": ["notes:read"] },
  "rules": [
    { "tools": ["read_note"], "scopes": ["notes:read"] },
    { "tools": ["write_note"], "scopes": ["notes:write"] },
    { "tools": ["forget_*"], "principals": ["editor"] }] })";
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write); // else it would not be trusted
}

// Nothing in it is about rights.
mcp::server make_server(std::string& note)
{
    mcp::server server("notes", "1.0.0");
    server.add_tool("read_note", "Reads the note.", [&note] { return note; });
    const auto write = [&note](mcp::context& context, std::string text) {
        note = std::move(text);
        return "Written by " + context.rpc().peer().principal + '.'; // a handler knows who calls
    };
    server.add_tool("write_note", "Writes the note.", write, {{"text", "What it is to say"}});
    server.add_tool("forget_note", "Forgets the note.", [&note] { return note.clear(), "Forgotten."; });
    return server;
}

partyline::task<void> try_tool(mcp::client& server, std::string tool, partyline::call_params arguments = {})
{
    try {
        const auto result = co_await server.call_tool(tool, std::move(arguments));
        std::cout << "  " << tool << ": " << result.text() << '\n';
    } catch (const partyline::rpc_error& refused) {
        std::cout << "  " << tool << ": " << refused.what() << '\n';
    }
}

partyline::task<void> work(mcp::client& server, std::string who)
{
    co_await server.start();
    std::cout << who << " sees:";
    for (const mcp::tool_info& tool : co_await server.tools())
        std::cout << ' ' << tool.name;
    std::cout << '\n';
    co_await try_tool(server, "write_note", named("text", "Two bottles of milk"));
    co_await try_tool(server, "read_note");
    co_await try_tool(server, "forget_note"); // to a reader it does not exist
    co_await server.close();
}

int main()
{
    const fs::path file = "example-access.json"; // in the folder where it is run
    const auto reader = partyline::access::make_token(), editor = partyline::access::make_token();
    write_access_file(file, reader.sha256, editor.sha256);

    boost::asio::io_context context(1);
    std::string note = "A loaf";
    http::server_options options;
    options.access = std::make_shared<partyline::access::gate>(file); // reload() takes changes of the file
    http::server server(context.get_executor(), std::move(options));
    server.add_mcp("/mcp", make_server(note));
    const std::string url = "http://127.0.0.1:" + std::to_string(server.listen_tcp("127.0.0.1", 0).port()) + "/mcp";
    server.async_run([](partyline::error_code) {});

    for (const auto& [who, token] : {std::pair("reader", reader.token), std::pair("editor", editor.token)}) {
        http::client_options how;
        how.fields.emplace_back("Authorization", "Bearer " + token);
        mcp::client agent(http::mcp_client(context.get_executor(), url, std::move(how)));
        bool is_done = false;
        co_spawn(context.get_executor(), work(agent, who), [&](std::exception_ptr) { is_done = true; });
        while (!is_done)
            context.run_one();
    }
    fs::remove(file);
}
