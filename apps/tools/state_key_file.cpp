#include "state_key_file.hpp"

#include "command_line/line_log.hpp"
#include "command_line/secret_file.hpp"

#include <partyline/protocol/exception_text.hpp>

#include <exception>
#include <stdexcept>

namespace tools {
namespace {

partyline::mcp::state_keys read(const std::string& file)
{
    const std::string text = command_line::read_state_keys(file);
    try {
        return partyline::mcp::state_keys::from_text(text);
    } catch (const std::invalid_argument& e) {
        throw std::runtime_error("--state-keys " + file + ": " + e.what());
    }
}

} // namespace

void use_state_keys(partyline::mcp::server& server, const std::string& file)
{
    server.use_state_keys(read(file));
}

void reload_state_keys(partyline::mcp::server& server, const std::string& file)
{
    try {
        use_state_keys(server, file);
        command_line::say("partyline-tools: the state keys were read again");
    } catch (const std::exception& e) {
        command_line::say("partyline-tools: the state keys stay as they are: " + partyline::exception_text(e));
    }
}

} // namespace tools
