#include "fuzz/session_ledger.hpp"

#include "fuzz/fuzz_input.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/message.hpp>

#include <algorithm>
#include <cstring>
#include <span>

namespace partyline::test {
namespace {

std::string key_of(const json_tree& id)
{
    return id.what == json_tree::kind::string ? '"' + id.text + '"' : id.text;
}

void count(asked& total, std::string_view id)
{
    ++total.answers;
    json_tree tree;
    if (id.starts_with('"') && parse_tree(id, tree) == json_validity::valid)
        ++total.ids[key_of(tree)];
    else
        ++total.ids[std::string(id)];
}

void count(asked& total, const message& m)
{
    if (m.type == partyline::message_type::notification)
        total.has_cancel = total.has_cancel || m.method == "$/cancelRequest";
    else if (m.type != partyline::message_type::reply)
        count(total, m.id);
}

// Each request is refused under its id, as far as the answer has room; one answer without id stands for all the rest.
void count_refused(asked& total, message_reader& reader)
{
    asked batch;
    bool has_rest = false;
    for (const std::string_view element : reader.elements()) {
        const message& m = reader.read_element(element);
        if (m.type == partyline::message_type::reply)
            continue;
        has_rest = has_rest || m.id.empty();
        if (!m.id.empty())
            count(batch, m.id);
    }
    for (const auto& [id, times] : batch.ids)
        total.ids[id] += times;
    const std::size_t most = batch.answers + (has_rest ? 1 : 0);
    total.answers += most;
    total.spare += most == 0 ? 0 : most - 1;
}

void count(asked& total, message_reader& reader, const frame& f)
{
    if (f.is_oversize) {
        if (!f.looks_like_response)
            count(total, f.id);
        return;
    }
    const message& m = reader.read(f.text);
    if (m.type != partyline::message_type::batch)
        return count(total, m);
    if (m.problem.what != partyline::defect::kind::none)
        return count_refused(total, reader);
    for (const std::string_view element : reader.elements())
        count(total, reader.read_element(element));
}

bool is_reply(const json_tree& said, std::string_view line)
{
    if (said.find("method"))
        return false;
    const bool is_one = said.find("id") && (said.find("result") != nullptr) != (said.find("error") != nullptr);
    require(is_one, "it is a reply", line);
    return true;
}

void count(answered& total, const json_tree& said, std::string_view line, answer_check is_answer)
{
    require(said.what == json_tree::kind::object, "what is said is an object", line);
    if (!is_answer(said, line))
        return;
    ++total.answers;
    const json_tree* const id = said.find("id");
    if (id && id->what != json_tree::kind::null) // which is also what answers an unknown id
        ++total.ids[key_of(*id)];
}

void count_line(answered& total, std::string_view line, answer_check is_answer)
{
    json_tree said;
    const json_validity validity = parse_tree(line, said);
    require(validity != json_validity::invalid, "a line is JSON", line);
    if (validity == json_validity::unknown) {
        total.is_certain = false;
        return;
    }
    if (said.what != json_tree::kind::array)
        return count(total, said, line, is_answer);
    require(!said.children.empty(), "an array of replies is not empty", line);
    for (const json_tree& element : said.children)
        count(total, element, line, is_answer);
}

} // namespace

asked read_requests(std::string_view stream, const limits& bounds)
{
    asked total;
    line_framing framing(bounds);
    message_reader reader(bounds);
    const auto drain = [&] {
        for (frame f; framing.next(f);)
            count(total, reader, f);
    };
    while (!stream.empty()) {
        const std::span<char> room = framing.prepare();
        const std::size_t size = std::min(room.size(), stream.size());
        std::memcpy(room.data(), stream.data(), size);
        framing.commit(size);
        stream.remove_prefix(size);
        drain();
    }
    framing.finish();
    drain();
    return total;
}

answered read_answers(std::string_view lines)
{
    return read_answers(lines, is_reply);
}

answered read_answers(std::string_view lines, answer_check is_answer)
{
    answered total;
    while (!lines.empty()) {
        const std::size_t end = lines.find('\n');
        require(end != lines.npos, "the last line ends", lines);
        count_line(total, lines.substr(0, end), is_answer);
        lines.remove_prefix(end + 1);
    }
    return total;
}

bool is_all_answered(const asked& stream, const answered& said)
{
    return said.answers <= stream.answers && said.answers + stream.spare >= stream.answers;
}

void check_ids(const asked& stream, const answered& said, std::string_view about)
{
    for (const auto& [id, count] : said.ids) {
        const auto found = stream.ids.find(id);
        require(found != stream.ids.end() && count <= found->second, "no id is answered more often than asked", about);
    }
}

} // namespace partyline::test
