#include "commands.hpp"

#include "quote.hpp"

namespace bench {
namespace {

const char* file_of(program which)
{
    switch (which) {
    case program::cat: return "cat";
    case program::yardstick: return "yardstick";
    case program::beast: return "beast-http";
    case program::gateway: return "partyline-gateway";
    case program::echo_server: return "partyline-echo";
    case program::mcp_server: return "partyline-bench-mcp-server";
    default: return "partyline-bench-server";
    }
}

std::string listening_options(service served)
{
    switch (served) {
    case service::streams: break;
    case service::tcp: return " --tcp 127.0.0.1:0";
    case service::http_rpc:
    case service::http_mcp: return " --http 127.0.0.1:0";
    }
    return "";
}

// `place` makes a command of the name of a program's file.
template <class Place>
std::string command_behind(const contender& gateway, Place place)
{
    if (gateway.served == service::http_mcp)
        return place(file_of(program::mcp_server)) + " --mcp";
    return place(file_of(program::echo_server));
}

template <class Place>
std::string command_of(const contender& server, Place place)
{
    const std::string file = place(file_of(server.which));
    if (server.which == program::beast)
        return file;
    const std::string options = server.options.empty() ? "" : " " + server.options;
    if (server.which == program::gateway)
        return file + " --http 127.0.0.1:0" + options + " -- " + command_behind(server, place);
    return file + listening_options(server.served) + options;
}

} // namespace

std::string shown_command(const contender& server)
{
    if (!server.origin.empty())
        return server.origin;
    if (server.which == program::users)
        return server.command;
    return command_of(server, [](const char* name) { return std::string(name); });
}

server_spec make_spec(const contender& server, const options& wanted)
{
    if (server.which == program::cat)
        return {.command = "cat"};
    const auto place = [&](const char* name) { return shell_word(wanted.programs + "/" + name); };
    std::string command = server.command.empty() ? command_of(server, place) : server.command;
    if (server.which == program::peer_gateway)
        command += " " + command_behind(server, place);
    server_spec made{.command = command,
                     .how = server.how,
                     .echo_method = server.echo_method,
                     .spoken = server.spoken,
                     .served = server.served};
    if (server.which == program::beast)
        made.echo_method.reset(); // it gives back what it gets
    return made;
}

} // namespace bench
