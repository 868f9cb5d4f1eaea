#include "http/sessions/mcp_endpoint.hpp"

#include "http/serve/http_service.hpp"
#include "http/serve/kept_conversation.hpp"
#include "http/serve/rpc_endpoint.hpp"
#include "http/serve/use_peer.hpp"
#include "http/sessions/mirrored_fields.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/session/access_control.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace json = boost::json;

namespace partyline::http {
namespace {

// What MCP's SDKs answer with.
constexpr int bad_session = -32000;
constexpr int header_mismatch = -32020;

constexpr std::string_view modern_revision = "2026-07-28";
constexpr std::array<std::string_view, 4> legacy_revisions{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

// A part of what there is for all, so that idle sessions leave enough for those that work.
std::size_t bytes_for_sessions(const session_options& options)
{
    constexpr std::size_t parts = 4;
    return options.budget ? options.budget->limit() / parts : std::numeric_limits<std::size_t>::max();
}

bool has_session_id(const request_head& head)
{
    return !head.find("mcp-session-id").empty();
}

std::shared_ptr<store_calls> calls_of(const http_service& core)
{
    const server_options& options = core.options();
    if (!options.event_store)
        return nullptr;
    return std::make_shared<store_calls>(core.executor(), options.event_store, options.session.budget,
                                         options.session.log);
}

response no_stream()
{
    response no =
        refuse(405, error_codes::invalid_request, "there is no stream without a session: POST alone is answered");
    no.fields = "Allow: POST, OPTIONS\r\n";
    return no;
}

response bad_request(const mcp_message& m, const json::object& error)
{
    std::string text = "{\"jsonrpc\":\"2.0\",";
    if (!m.id.empty())
        text += "\"id\":" + m.id + ',';
    text += "\"error\":" + json::serialize(error) + '}';
    return {400, "application/json", std::move(text), {}};
}

response mismatch(const mcp_message& m, const field_mismatch& wrong)
{
    constexpr std::size_t most = 200;
    return bad_request(m, {{"code", header_mismatch},
                           {"message", "Header mismatch"},
                           {"data",
                            {{"header", wrong.field},
                             {"expected", printable(wrong.expected.substr(0, most))},
                             {"actual", printable(wrong.actual.substr(0, most))}}}});
}

response no_envelope(const mcp_message& m)
{
    return bad_request(m, {{"code", error_codes::invalid_params},
                           {"message", "Invalid params: a request of 2026-07-28 has in its _meta "
                                       "io.modelcontextprotocol/protocolVersion, a string, and "
                                       "io.modelcontextprotocol/clientCapabilities, an object"}});
}

} // namespace

mcp_endpoint::mcp_endpoint(const std::shared_ptr<http_service>& of, forwarding_makers make, answers whose)
    : core_(of), make_(std::move(make)), whose_(whose), reader_(of->options().session.bounds), store_(calls_of(*of)),
      sessions_(of->options().mcp, bytes_for_sessions(of->options().session))
{
}

mcp_endpoint::~mcp_endpoint()
{
    if (store_)
        store_->stop(); // what waits for it knows the service
}

bool mcp_endpoint::allows(std::string_view method) const noexcept
{
    return method == "POST" || method == "GET" || method == "DELETE";
}

// A stream that can't be had is refused before anything else is looked at, and always so: clients try again for ever
// what is refused in another way.
std::optional<response> mcp_endpoint::refuse_head(const request_head& head)
{
    if (head.method == "POST")
        return std::nullopt;
    if (!has_session_id(head) || head.find("mcp-protocol-version") == modern_revision)
        return no_stream();
    if (head.method == "GET" && !accepts_event_stream(head))
        return refuse(406, error_codes::invalid_request,
                      "GET is answered by a stream of events, which Accept does not allow");
    return std::nullopt;
}

endpoint::answer mcp_endpoint::serve(request&& asked, kept_state& of, reply_sink& line)
{
    if (asked.head.method == "GET")
        return serve_get(asked, line);
    if (asked.head.method == "DELETE")
        return serve_delete(asked);
    return serve_post(std::move(asked), of, line);
}

// A session of somebody else is as unknown as one that there is not.
std::shared_ptr<mcp_session> mcp_endpoint::session_of(const request& asked) const noexcept
{
    std::shared_ptr<mcp_session> found = sessions_.find(asked.head.find("mcp-session-id"));
    if (!found || !found->is_owned_by(asked.grant.get()))
        return nullptr;
    if (asked.grant)
        found->use_grant(asked.grant);
    return found;
}

endpoint::answer mcp_endpoint::serve_post(request&& asked, kept_state& of, reply_sink& line)
{
    const mcp_message m = read_mcp_message(reader_, asked.body);
    const std::string_view told = asked.head.find("mcp-protocol-version");
    if (m.is_modern || (told == modern_revision && !m.begins_session))
        return serve_modern(m, std::move(asked), of, line);
    if (m.begins_session) // which agrees about the revision by what the message says
        return begin_session(std::move(asked), line);
    if (!told.empty() && std::find(legacy_revisions.begin(), legacy_revisions.end(), told) == legacy_revisions.end())
        return refuse(400, bad_session, "MCP-Protocol-Version names a revision that is not known here");
    if (!has_session_id(asked.head)) {
        if (m.type == message_type::bad) // what is no message is told so
            return serve_modern(m, std::move(asked), of, line);
        return refuse(400, bad_session,
                      "Mcp-Session-Id is missing: a session begins with initialize, and its answer has the id");
    }
    const std::shared_ptr<mcp_session> session = session_of(asked);
    if (!session)
        return session_not_found();
    return session->post(std::move(asked), line, false);
}

// The message has just been read. Of a tool that is hidden from its sender the fields tell nothing, either.
std::optional<field_mismatch> mcp_endpoint::find_wrong_field(const mcp_message& m, const request& asked)
{
    std::optional<field_mismatch> wrong = find_mismatch(asked.head, m);
    if (wrong || !make_.mirrored || !m.has_name || m.method != "tools/call")
        return wrong;
    const access_view* const by = asked.grant ? asked.grant->view.get() : nullptr;
    if (by && by->judge(m.method, m.name).is == access_answer::hidden)
        return std::nullopt;
    return find_mismatch(asked.head, reader_, make_.mirrored(m.name));
}

// The order is that of 2026-07-28: the envelope, then the fields, then the rest, which the conversation knows.
endpoint::answer mcp_endpoint::serve_modern(const mcp_message& m, request&& asked, kept_state& of, reply_sink& line)
{
    const bool has_envelope = m.has_envelope || (m.is_modern && m.type == message_type::notification);
    if (has_envelope) {
        if (const auto wrong = find_wrong_field(m, asked))
            return mismatch(m, *wrong);
    }
    // Shown such a request, another server may take all its clients for those of another era.
    if (!has_envelope && m.type == message_type::request && whose_ == answers::forwarded)
        return no_envelope(m);
    const status_rule rule = whose_ == answers::own ? status_rule::modern : status_rule::forwarded;
    const auto by = conversation_of(*this, of, *core_.lock(), make_.connection, asked);
    return by->serve(std::move(asked), rule, line);
}

endpoint::answer mcp_endpoint::begin_session(request&& asked, reply_sink& line)
{
    const std::shared_ptr<http_service> core = core_.lock();
    const std::size_t bytes = mcp_session::bytes_of(asked.body.size());
    if (core->is_draining() || !sessions_.make_room(bytes))
        return busy();
    session_options options = core->options().session;
    use_peer(options, asked.from, asked.grant.get());
    std::shared_ptr<const dispatcher> methods = make_.session.for_session(core->executor(), options);
    std::string id = session_table::make_id(core->options().node);
    while (!core->may_have(id)) // of N threads each has every Nth
        id = session_table::make_id(core->options().node);
    if (options.on_served)
        options.session_digest = session_table::digest_of(id);
    std::string store_name = store_ ? session_table::name_in_store(id) : std::string();
    const auto session = std::make_shared<mcp_session>(core, std::move(id), bytes, asked, std::move(methods),
                                                       std::move(options), store_, std::move(store_name));
    try {
        sessions_.add(session);
        answer by = session->post(std::move(asked), line, true);
        if (std::holds_alternative<response>(by))
            sessions_.end(session);
        return by;
    } catch (...) {
        sessions_.end(session);
        throw;
    }
}

endpoint::answer mcp_endpoint::serve_get(const request& asked, reply_sink& line)
{
    const std::shared_ptr<mcp_session> session = session_of(asked);
    if (!session)
        return session_not_found();
    return session->get(asked, line);
}

endpoint::answer mcp_endpoint::serve_delete(const request& asked)
{
    const std::shared_ptr<mcp_session> session = session_of(asked);
    if (!session)
        return session_not_found();
    sessions_.end(session);
    return response{204, {}, {}, {}};
}

void mcp_endpoint::on_tick(std::chrono::steady_clock::time_point now)
{
    sessions_.on_tick(now);
    if (store_)
        store_->on_tick(now);
    if (access_control* const access = core_.lock()->options().access.get())
        sessions_.renew_grants(*access, std::chrono::system_clock::now());
}

// No client comes back to its session: nothing more is stored.
void mcp_endpoint::end() noexcept
{
    if (store_)
        store_->stop();
    sessions_.end_all();
}

} // namespace partyline::http
