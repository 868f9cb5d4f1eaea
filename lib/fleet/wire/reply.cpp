#include "fleet/wire/reply.hpp"

#include "fleet/wire/head.hpp"

#include <algorithm>
#include <array>

namespace partyline::fleet {
namespace {

// The members of the line; a cancel has the first two.
struct of_reply {
    enum : std::size_t { version, id, run, number, end, count };
    static constexpr std::array<std::string_view, count> names = {"v", "id", "run", "n", "end"};
};
constexpr std::array<std::string_view, 7> end_names = {"",          "answered", "lost", "cancelled",
                                                       "too_large", "opened",   "full"};

bool is_run(std::string_view text)
{
    return call_id::read(text).has_value(); // a worker's name and a number: the same form
}

bool read_version(const head_reader& head)
{
    std::uint64_t read = 0;
    return head.number(of_reply::version, read) && read == 1;
}

std::string_view read_id(const head_reader& head, call_id& out)
{
    std::string text;
    if (!read_version(head))
        return "another version";
    std::optional<call_id> read = head.text(of_reply::id, text) ? call_id::read(text) : std::nullopt;
    if (!read)
        return "an id that is none";
    out = std::move(*read);
    return {};
}

std::string_view read_rest(const head_reader& head, reply& out)
{
    if (!head.text(of_reply::run, out.run))
        return "a run that is none";
    if (!head.number(of_reply::number, out.number))
        return "no number";
    std::string text;
    if (!head.text(of_reply::end, text) || text.empty() != head[of_reply::end].empty())
        return "an end that is none";
    const auto found = std::find(end_names.begin(), end_names.end(), text);
    if (found == end_names.end())
        return "an end that is none";
    out.end = static_cast<call_end>(found - end_names.begin());
    return {};
}

} // namespace

std::string_view problem_of(const reply& one, std::size_t max_message_bytes)
{
    if (!is_name(one.id.front) || one.id.number == 0)
        return "an id that is none";
    if (!is_run(one.run))
        return "a run that is none";
    if (one.number == 0)
        return "no number";
    if (one.end == call_end::none ? one.message.empty() : one.end != call_end::answered && !one.message.empty())
        return "a message where there is none, or none where there is one";
    return one.message.size() > max_message_bytes ? "a message that is too large" : std::string_view();
}

std::string write_reply(const reply& one)
{
    head_writer out;
    out.number("v", 1);
    out.text("id", one.id.text());
    out.text("run", one.run);
    out.number("n", one.number);
    if (one.end != call_end::none)
        out.text("end", end_names[static_cast<std::size_t>(one.end)]);
    return out.finish(one.message);
}

read_outcome<reply> read_reply(std::string_view payload, std::size_t max_message_bytes)
{
    const split_payload parts = split(payload);
    if (!parts.is_whole)
        return "no line before the message";
    if (parts.message.size() > max_message_bytes)
        return "a message that is too large";
    const std::string text(parts.head);
    head_reader head(of_reply::names);
    reply read;
    std::string_view why = head.read(text);
    if (why.empty())
        why = read_id(head, read.id);
    if (why.empty())
        why = read_rest(head, read);
    read.message.assign(parts.message);
    if (why.empty())
        why = problem_of(read, max_message_bytes);
    if (!why.empty())
        return why;
    return read;
}

std::string write_cancel(const call_id& id)
{
    head_writer out;
    out.number("v", 1);
    out.text("id", id.text());
    return out.finish({});
}

read_outcome<call_id> read_cancel(std::string_view payload)
{
    const split_payload parts = split(payload);
    if (!parts.is_whole || !parts.message.empty())
        return "no line, or something behind it";
    const std::string text(parts.head);
    head_reader head(std::span(of_reply::names).first(2));
    call_id read;
    std::string_view why = head.read(text);
    if (why.empty())
        why = read_id(head, read);
    if (!why.empty())
        return why;
    return read;
}

} // namespace partyline::fleet
