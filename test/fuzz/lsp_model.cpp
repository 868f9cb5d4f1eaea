#include "fuzz/lsp_model.hpp"

#include "fuzz/fuzz_input.hpp"
#include "fuzz/json_tree.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/message.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

namespace partyline::test {
namespace {

using kind = json_tree::kind;

template <class Take>
void cut(framing& frames, std::string_view stream, Take take)
{
    const auto drain = [&] {
        for (frame f; frames.next(f);)
            take(f);
    };
    while (!stream.empty()) {
        const std::span<char> room = frames.prepare();
        const std::size_t size = std::min(room.size(), stream.size());
        std::memcpy(room.data(), stream.data(), size);
        frames.commit(size);
        stream.remove_prefix(size);
        drain();
    }
    frames.finish();
    drain();
}

bool is_finite(const json_tree& tree)
{
    if (tree.what == kind::number)
        return std::isfinite(std::strtod(tree.text.c_str(), nullptr));
    return std::all_of(tree.children.begin(), tree.children.end(), is_finite);
}

bool is_int64(const std::string& text)
{
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && end == text.data() + text.size();
}

bool is_integer(const json_tree& tree)
{
    const double number = std::strtod(tree.text.c_str(), nullptr);
    constexpr double end = 9223372036854775808.0;
    return is_int64(tree.text) || (number == std::trunc(number) && number >= -end && number < end);
}

bool may_be(const json_tree* member, auto fits)
{
    return !member || member->what == kind::null || fits(*member);
}

/// The server's side of the lifecycle.
class model {
public:
    void take(const std::string& text)
    {
        const message& m = reader_.read(text);
        switch (m.type) {
        case partyline::message_type::request: answer(m); break;
        case partyline::message_type::notification: is_over_ = m.method == "exit"; break;
        case partyline::message_type::batch: say("null", -32600); break;
        case partyline::message_type::bad:
            say(has_id(m) ? m.id_key : "null", m.problem.what == defect::kind::not_json ? -32700 : -32600);
            break;
        case partyline::message_type::reply: break;
        }
    }

    bool is_over() const { return is_over_; }
    lsp_conversation result() const
    {
        lsp_conversation all = said_;
        if (is_over_ && at_ != stage::shut_down)
            all.end = errc::exit_without_shutdown;
        return all;
    }

private:
    enum class stage : std::uint8_t { created, running, shut_down };

    // A string or an integer: this protocol has no others.
    static bool has_id(const message& m)
    {
        const bool is_text = m.id.starts_with('"');
        return is_text || (!m.id.empty() && m.id != "null" && m.id.find_first_of(".eE") == m.id.npos);
    }

    void say(std::string_view id, int code) { said_.answers.push_back(std::string(id) + ' ' + std::to_string(code)); }

    void answer(const message& m)
    {
        if (!has_id(m))
            return say("null", -32600);
        say(m.id_key, code_of(m));
    }

    int code_of(const message& m)
    {
        const bool is_first = m.method == "initialize";
        if (at_ == stage::created && !is_first)
            return -32002;
        if (at_ == stage::shut_down || (at_ == stage::running && is_first))
            return -32600;
        if (m.method == "shutdown") {
            at_ = stage::shut_down;
            return 0;
        }
        if (!is_first && m.method != "echo" && m.method != "refuse")
            return -32601;
        const int code = has_value(m.params, is_first) ? 0 : -32602;
        if (is_first && code == 0)
            at_ = stage::running;
        return code == 0 && m.method == "refuse" ? -1 : code;
    }

    bool has_value(json_view params, bool is_introduction)
    {
        json_tree tree;
        if (params.empty())
            return true;
        if (parse_tree(params.text(), tree) == json_validity::valid)
            return is_finite(tree) && (!is_introduction || is_good_introduction(tree));
        said_.is_certain = false;
        return true;
    }

    bool is_good_introduction(const json_tree& params)
    {
        const json_tree* const process = params.find("processId");
        if (process && process->what == kind::number && std::strtod(process->text.c_str(), nullptr) >= 1)
            said_.is_certain = false;
        return may_be(params.find("capabilities"),
                      [](const json_tree& is) {
                          return is.what == kind::object || (is.what == kind::array && is.children.empty());
                      }) &&
               may_be(params.find("trace"), [](const json_tree& is) { return is.what == kind::string; }) &&
               may_be(process, [](const json_tree& is) { return is.what == kind::number && is_integer(is); });
    }

    message_reader reader_{limits()};
    lsp_conversation said_;
    stage at_ = stage::created;
    bool is_over_ = false;
};

std::string key_of(const json_tree& id)
{
    return id.what == kind::string ? '"' + id.text + '"' : id.text;
}

std::string answer_of(const json_tree& said)
{
    const json_tree* const id = said.find("id");
    require(id && (said.find("result") != nullptr) != (said.find("error") != nullptr), "it is a reply", said.text);
    const json_tree* const error = said.find("error");
    const json_tree* const code = error ? error->find("code") : nullptr;
    require(!error || code, "an error has a code", said.text);
    return key_of(*id) + ' ' + (code ? code->text : "0");
}

} // namespace

std::vector<std::string> messages_of(std::string_view stream)
{
    std::vector<std::string> messages;
    line_framing lines{limits()};
    cut(lines, stream, [&](const frame& f) { messages.emplace_back(f.text); });
    return messages;
}

std::string behind_headers(const std::vector<std::string>& messages)
{
    std::string stream;
    for (const std::string& text : messages)
        stream.append("Content-Length: ").append(std::to_string(text.size())).append("\r\n\r\n").append(text);
    return stream;
}

std::string without_headers(std::string_view said)
{
    std::string lines;
    content_length_framing frames{limits()};
    cut(frames, said, [&](const frame& f) {
        require(f.problem.empty(), "what is said is framed", said);
        lines.append(f.text).append("\n");
    });
    return lines;
}

lsp_conversation expect_lsp(const std::vector<std::string>& messages)
{
    model server;
    for (const std::string& text : messages) {
        if (!server.is_over())
            server.take(text);
    }
    return server.result();
}

lsp_conversation read_lsp(std::string_view lines)
{
    lsp_conversation all;
    for (; !lines.empty(); lines.remove_prefix(lines.find('\n') + 1)) {
        json_tree said;
        const json_validity validity = parse_tree(lines.substr(0, lines.find('\n')), said);
        require(validity != json_validity::invalid, "a line is JSON", lines);
        if (validity == json_validity::unknown)
            all.is_certain = false;
        else
            all.answers.push_back(answer_of(said));
    }
    return all;
}

} // namespace partyline::test
