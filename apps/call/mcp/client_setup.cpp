#include "client_setup.hpp"

#include "call/output/shown_line.hpp"
#include "command_line/file_uri.hpp"

#include <partyline/config.hpp>
#include <partyline/http/mcp_client.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <variant>

#include <unistd.h>

namespace fs = std::filesystem;
namespace mcp = partyline::mcp;

namespace call {
namespace {

mcp::wanted_era era_of(mcp_options::era wanted)
{
    switch (wanted) {
    case mcp_options::era::legacy: return mcp::wanted_era::legacy;
    case mcp_options::era::modern: return mcp::wanted_era::modern;
    default: return mcp::wanted_era::automatic;
    }
}

mcp::root root_of(const std::string& folder)
{
    std::error_code failed;
    const fs::path path = fs::canonical(folder, failed);
    if (failed || !fs::is_directory(path, failed))
        throw std::invalid_argument("--root '" + shown_line(folder) + "' is no folder");
    return {command_line::file_uri(path.native()), path.filename().string()};
}

mcp::elicit_answer answer_from(const std::string& text)
{
    if (text == "decline")
        return mcp::elicit_answer::decline();
    if (text == "cancel")
        return mcp::elicit_answer::cancel();
    return mcp::elicit_answer::accept(boost::json::parse(text).as_object());
}

// An object answers forms alone: nobody has agreed to a page.
void answer_always(mcp::client& client, const mcp::elicit_answer& with)
{
    client.on_elicit([with](const mcp::elicit_request&) { return with; });
    const mcp::elicit_action action = with.action();
    if (action != mcp::elicit_action::accept)
        client.on_elicit_page([action](const mcp::page_request&) { return action; });
}

struct converse_by {
    mcp::client_options& how;

    template <class Stream>
    mcp::client operator()(Stream& stream) const
    {
        return mcp::client(std::move(stream), std::move(how));
    }
    mcp::client operator()(network_server& at) const
    {
        return mcp::client(partyline::http::mcp_client(at.executor, at.url, std::move(at.how)), std::move(how));
    }
};

} // namespace

mcp::client_options client_options_for(const options& wanted, partyline::session_options session)
{
    mcp::client_options how;
    how.info.name = "partyline-call";
    how.info.version = PARTYLINE_VERSION_STRING;
    how.era = era_of(wanted.mcp.wanted_era);
    how.request_timeout = wanted.timeout;
    if (wanted.timeout != duration::zero()) {
        how.handshake_timeout = wanted.timeout;
        how.probe_timeout = std::min(how.probe_timeout, wanted.timeout / 2); // time is left for the other era
    } else if (wanted.server.login && wanted.server.login->is_by_person)
        how.probe_timeout = how.handshake_timeout = 2 * wanted.server.login->how.login_timeout;
    how.session = std::move(session);
    return how;
}

std::vector<mcp::root> roots_of(const mcp_options& wanted)
{
    std::vector<mcp::root> all;
    std::ranges::transform(wanted.roots, std::back_inserter(all), root_of);
    return all;
}

mcp::client make_client(server_stream& over, mcp::client_options how)
{
    return std::visit(converse_by(how), over.stream);
}

std::shared_ptr<asker> answer_questions(mcp::client& client, const options& wanted, status_output& shown)
{
    if (!wanted.mcp.answer.empty()) {
        answer_always(client, answer_from(wanted.mcp.answer));
        return nullptr;
    }
    const bool types_calls = wanted.calls_file == "-" && ::isatty(STDIN_FILENO); // a line can't be both
    std::unique_ptr<terminal> user = types_calls ? nullptr : terminal::open(client.get_executor());
    if (!user)
        return nullptr;
    const auto made = std::make_shared<asker>(std::move(user), shown);
    client.on_elicit([made](const mcp::elicit_request& asked) { return made->ask(asked); });
    client.on_elicit_page([made](const mcp::page_request& asked) { return made->ask(asked); });
    return made;
}

} // namespace call
