#include "commands.hpp"

#include "wire.hpp"

#include <functional>

namespace bench {
namespace {

/// How the files are called that a command line names.
struct places {
    std::function<std::string(const char*)> program;
    std::string certificate;
    std::string key;
    std::string access;
};

std::string command_behind(const contender& gateway, const places& at)
{
    if (gateway.served == service::http_mcp)
        return at.program(facts_of(program::mcp_server).file) + " --mcp";
    return at.program(facts_of(program::echo_server).file);
}

std::string command_of(const contender& server, const places& at)
{
    const std::string file = at.program(facts_of(server.which).file);
    const service_facts& reached = facts_of(server.served);
    if (facts_of(server.which).is_echo_on_port)
        return reached.is_encrypted ? file + " " + at.certificate + " " + at.key : file;
    const std::string options = server.options.empty() ? "" : " " + server.options;
    if (server.which == program::gateway)
        return file + reached.options + options + " -- " + command_behind(server, at);
    const std::string shown =
        reached.is_encrypted ? " --tls-certificate " + at.certificate + " --tls-key " + at.key : "";
    const std::string access = server.shows == credentials::none ? "" : " --access " + at.access;
    return file + reached.options + shown + access + options;
}

} // namespace

// In the order of the programs.
program_facts facts_of(program which)
{
    static const program_facts all[] = {{"floor", "cat"},
                                        {"yardstick", "yardstick"},
                                        {"yardstick", "beast-http", true},
                                        {"yardstick", "beast-websocket", true},
                                        {"yardstick", "beast-https", true},
                                        {"yardstick", "asio-tls", true},
                                        {"partyline", "partyline-echo"},
                                        {"partyline", "partyline-bench-server"},
                                        {"partyline", "partyline-bench-mcp-server"},
                                        {"partyline", "partyline-gateway"},
                                        {"peer", nullptr},
                                        {"peer", nullptr},
                                        {"server", nullptr}};
    return all[static_cast<std::size_t>(which)];
}

std::string shown_command(const contender& server)
{
    if (!server.origin.empty())
        return server.origin;
    if (server.which == program::users)
        return server.command;
    return command_of(
        server, {[](const char* name) { return std::string(name); }, "certificate.pem", "key.pem", "access.json"});
}

server_spec make_spec(const contender& server, const options& wanted, const partyline::tls::certificate_files* shown,
                      const access_files* access)
{
    if (server.which == program::cat)
        return {.command = "cat"};
    const auto program_at = [&](const char* name) { return shell_word(wanted.programs + "/" + name); };
    places at{program_at, {}, {}, {}};
    if (shown) {
        at.certificate = shell_word(shown->certificate_file);
        at.key = shell_word(shown->key_file);
    }
    if (access)
        at.access = shell_word(access->path());
    std::string command = server.command.empty() ? command_of(server, at) : server.command;
    if (server.which == program::peer_gateway)
        command += " " + command_behind(server, at);
    server_spec made{.command = command,
                     .how = server.how,
                     .echo_method = server.echo_method,
                     .spoken = server.spoken,
                     .served = server.served,
                     .certificate_file = shown ? shown->certificate_file : ""};
    if (access)
        made.authorizations = access->authorizations(server.shows);
    if (facts_of(server.which).is_echo_on_port)
        made.echo_method.reset();
    return made;
}

} // namespace bench
