#include "mcp/testing/message_log.hpp"

#include "mcp/testing/message_schemas.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/json/parse.hpp>

#include <string_view>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::size_t longest_shown_message = 300;

// Messages may be nested as deep as sessions let them be.
json::value parse(std::string_view text, boost::system::error_code& failed)
{
    json::parse_options how;
    how.max_depth = limits().depth;
    return json::parse(text, failed, {}, how);
}

std::string problem_of(const seen_message& message, revision r, bool has_extensions)
{
    boost::system::error_code failed;
    const json::value read = parse(message.text, failed);
    if (failed)
        return "no JSON";
    const json::object* const members = read.if_object();
    return members ? schema_problem(*members, r, message.sender, message.method, has_extensions) : "no object";
}

std::string line_of(const seen_message& message, const std::string& problem)
{
    const std::string sender = message.sender == message_sender::client ? "client" : "server";
    return sender + (message.method.empty() ? "" : ", " + message.method) + ": " + problem + ", in " +
           printable(message.text, longest_shown_message);
}

} // namespace

// The elements of a batch come by themselves.
void message_log::note(const message_event& event)
{
    if (event.type == message_type::batch)
        return;
    const message_sender by =
        event.direction == message_direction::in ? message_sender::server : message_sender::client;
    all_.push_back({by, std::string(event.method), std::string(event.text)});
}

std::vector<std::string> message_log::problems(revision r) const
{
    std::vector<std::string> found;
    for (const seen_message& message : all_)
        if (const std::string problem = problem_of(message, r, has_extensions_); !problem.empty())
            found.push_back(line_of(message, problem));
    return found;
}

} // namespace partyline::mcp
