#include "fleet/wire/channel_message.hpp"

#include "fleet/wire/head.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace partyline::fleet {
namespace {

using kind = channel_message::kind;

struct of_message {
    enum : std::size_t { version, id, run, number, has, taken, is, count };
    static constexpr std::array<std::string_view, count> names = {"v", "id", "run", "n", "has", "taken", "is"};
};
constexpr std::array<std::string_view, 5> kind_names = {"", "end", "", "ping",
                                                        "abort"}; // of a piece and an answer: none

bool is_numbered(kind is) noexcept
{
    return is == kind::piece || is == kind::end;
}

std::string_view read_identity(const head_reader& head, channel_message& out)
{
    std::uint64_t version = 0;
    if (!head.number(of_message::version, version) || version != 1)
        return "another version";
    std::string text;
    std::optional<call_id> id = head.text(of_message::id, text) ? call_id::read(text) : std::nullopt;
    if (!id)
        return "an id that is none";
    out.id = std::move(*id);
    return head.text(of_message::run, out.run) ? std::string_view() : "a run that is none";
}

std::string_view read_rest(const head_reader& head, channel_message& out)
{
    if (!head.number(of_message::number, out.number) || !head.number(of_message::has, out.has) ||
        !head.number(of_message::taken, out.taken))
        return "a number that is none";
    std::string text;
    if (head[of_message::is].empty()) {
        out.is = out.number != 0 ? kind::piece : kind::answer;
        return {};
    }
    const auto found = head.text(of_message::is, text) && !text.empty()
                           ? std::find(kind_names.begin(), kind_names.end(), text)
                           : kind_names.end();
    if (found == kind_names.end())
        return "a kind that is none";
    out.is = static_cast<kind>(found - kind_names.begin());
    return {};
}

} // namespace

std::string_view problem_of(const channel_message& one)
{
    if (!is_name(one.id.front) || one.id.number == 0)
        return "an id that is none";
    if (!call_id::read(one.run)) // a worker's name and a number: the same form
        return "a run that is none";
    if (is_numbered(one.is) != (one.number != 0))
        return "a number where there is none, or none where there is one";
    if (one.taken > one.has)
        return "more taken than there";
    if ((one.is == kind::piece) == one.bytes.empty())
        return "bytes where there are none, or none where there are some";
    return one.bytes.size() > max_piece_bytes ? "a piece that is too large" : std::string_view();
}

std::string write_channel_message(const channel_message& one)
{
    return write_channel_message(one, one.bytes);
}

std::string write_channel_message(const channel_message& head, std::string_view bytes)
{
    head_writer out;
    out.number("v", 1);
    out.text("id", head.id.text());
    out.text("run", head.run);
    if (head.number != 0)
        out.number("n", head.number);
    if (head.has != 0)
        out.number("has", head.has);
    if (head.taken != 0)
        out.number("taken", head.taken);
    if (const std::string_view name = kind_names[static_cast<std::size_t>(head.is)]; !name.empty())
        out.text("is", name);
    return out.finish(bytes);
}

read_outcome<channel_message> read_channel_message(std::string_view payload)
{
    const split_payload parts = split(payload);
    if (!parts.is_whole)
        return "no line before the piece";
    if (parts.message.size() > max_piece_bytes)
        return "a piece that is too large";
    const std::string text(parts.head);
    head_reader head(of_message::names);
    channel_message read;
    std::string_view why = head.read(text);
    if (why.empty())
        why = read_identity(head, read);
    if (why.empty())
        why = read_rest(head, read);
    read.bytes.assign(parts.message);
    if (why.empty())
        why = problem_of(read);
    if (!why.empty())
        return why;
    return read;
}

} // namespace partyline::fleet
