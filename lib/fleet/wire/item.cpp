#include "fleet/wire/item.hpp"

#include "fleet/wire/head.hpp"

#include <partyline/session/trace_context.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace partyline::fleet {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t max_principal_bytes = 1'024; // 256 characters
constexpr std::size_t max_source_bytes = 2'048;
constexpr std::size_t max_scopes = 256;
constexpr std::size_t max_scope_bytes = 256;
constexpr std::size_t traceparent_bytes = 55;
constexpr std::array<std::string_view, 3> session_names = {"", "session", "requests"}; // by `session_kind`

// The members of the line, and of `peer` in it.
struct of_item {
    enum : std::size_t { version, id, reply, until_ms, idempotent, peer, traceparent, session, count };
    static constexpr std::array<std::string_view, count> names = {"v",          "id",   "reply",       "until_ms",
                                                                  "idempotent", "peer", "traceparent", "session"};
};
struct of_peer {
    enum : std::size_t { principal, source, scopes, count };
    static constexpr std::array<std::string_view, count> names = {"principal", "source", "scopes"};
};

std::int64_t milliseconds_of(std::chrono::system_clock::time_point time)
{
    return std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
}

std::string_view peer_problem(const calling_peer& who)
{
    if (who.principal.empty() || !is_plain(who.principal, max_principal_bytes))
        return "a principal that is no plain text";
    if (!is_plain(who.source, max_source_bytes))
        return "a source that is no plain text";
    const auto is_scope = [](const std::string& one) { return !one.empty() && is_plain(one, max_scope_bytes); };
    if (who.scopes.size() > max_scopes || !std::all_of(who.scopes.begin(), who.scopes.end(), is_scope))
        return "scopes that are no plain texts, or too many";
    return {};
}

std::string write_peer(const calling_peer& who)
{
    head_writer out;
    out.text("principal", who.principal);
    out.text("source", who.source);
    out.raw("scopes", text_list(who.scopes));
    std::string text = out.finish({});
    text.pop_back(); // the line feed
    return text;
}

std::string_view read_peer(json_view from, item& out)
{
    if (from.empty())
        return {};
    const std::string text(from.text());
    head_reader head(of_peer::names);
    if (!from.text().starts_with('{') || !head.read(text).empty())
        return "a peer that is none";
    calling_peer& who = out.peer.emplace();
    if (!head.text(of_peer::principal, who.principal) || !head.text(of_peer::source, who.source) ||
        (!head[of_peer::scopes].empty() && !read_text_list(head[of_peer::scopes], max_scopes, who.scopes)))
        return "a peer that is none";
    return {};
}

std::string_view read_identity(const head_reader& head, item& out)
{
    std::uint64_t number = 0;
    std::string own_id;
    std::string to;
    if (!head.number(of_item::version, number) || number != 1)
        return "another version";
    if (!head.text(of_item::id, own_id))
        return "an id that is none";
    std::optional<call_id> read = call_id::read(own_id);
    if (!read)
        return "an id that is none";
    if (!head.text(of_item::reply, to) || to != reply_prefix(read->front))
        return "a subject for replies that is not the front's";
    out.id = std::move(*read);
    return {};
}

// A text that is not empty, where there is one.
bool read_some(const head_reader& head, std::size_t index, std::string& out)
{
    return head.text(index, out) && out.empty() == head[index].empty();
}

bool read_session(const head_reader& head, session_kind& out)
{
    std::string text;
    const auto found = read_some(head, of_item::session, text)
                           ? std::find(session_names.begin(), session_names.end(), text)
                           : session_names.end();
    if (found == session_names.end())
        return false;
    out = static_cast<session_kind>(found - session_names.begin());
    return true;
}

std::string_view read_rest(const head_reader& head, item& out)
{
    std::uint64_t until = 0;
    if (!head.number(of_item::until_ms, until) || until == 0 || until > (std::uint64_t(1) << 43)) // until the year 2248
        return "no time until when";
    out.until = std::chrono::system_clock::time_point(milliseconds(until));
    if (!head.flag(of_item::idempotent, out.is_idempotent))
        return "idempotent is to be true or false";
    if (!read_some(head, of_item::traceparent, out.traceparent))
        return "a traceparent that is none";
    if (!read_session(head, out.session))
        return "a session that is none";
    return read_peer(head[of_item::peer], out);
}

} // namespace

std::string_view problem_of(const item& one, std::size_t max_message_bytes)
{
    if (!is_name(one.id.front) || one.id.number == 0)
        return "an id that is none";
    if (milliseconds_of(one.until) <= 0)
        return "no time until when";
    if (!one.traceparent.empty() &&
        (one.traceparent.size() > traceparent_bytes || !trace_context::parse(one.traceparent)))
        return "a traceparent that is none";
    if (one.message.empty() != (one.session != session_kind::none))
        return "a message where there is none, or none where there is one";
    if (one.message.size() > max_message_bytes)
        return "a message that is too large";
    return one.peer ? peer_problem(*one.peer) : std::string_view();
}

std::string write_item(const item& one)
{
    head_writer out;
    out.number("v", 1);
    out.text("id", one.id.text());
    out.text("reply", reply_prefix(one.id.front));
    out.number("until_ms", static_cast<std::uint64_t>(milliseconds_of(one.until)));
    if (one.is_idempotent)
        out.raw("idempotent", "true");
    if (one.peer)
        out.raw("peer", write_peer(*one.peer));
    if (!one.traceparent.empty())
        out.text("traceparent", one.traceparent);
    if (one.session != session_kind::none)
        out.text("session", session_names[static_cast<std::size_t>(one.session)]);
    return out.finish(one.message);
}

read_outcome<item> read_item(std::string_view payload, std::size_t max_message_bytes)
{
    const split_payload parts = split(payload);
    if (!parts.is_whole)
        return "no line before the message";
    if (parts.message.size() > max_message_bytes)
        return "a message that is too large";
    const std::string text(parts.head);
    head_reader head(of_item::names);
    item read;
    std::string_view why = head.read(text);
    if (why.empty())
        why = read_identity(head, read);
    if (why.empty())
        why = read_rest(head, read);
    if (!why.empty())
        return why;
    read.message.assign(parts.message);
    why = problem_of(read, max_message_bytes);
    if (!why.empty())
        return why;
    return read;
}

} // namespace partyline::fleet
