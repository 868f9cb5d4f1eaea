#include "request_mix.hpp"

#include "support/read_text.hpp"
#include "support/requests.hpp"

#include <stdexcept>

namespace partyline::test {

namespace {

constexpr std::size_t max_endless = 64;

[[noreturn]] void refuse(const char* why, std::string_view line)
{
    throw std::runtime_error(std::string(why) + ": " + std::string(line.substr(0, 300)));
}

} // namespace

request_mix::request_mix(std::size_t window, std::uint64_t seed) : slots_(window), random_(seed)
{
    for (std::size_t i = window; i-- > 0;)
        free_.push_back(static_cast<std::uint32_t>(i));
}

// Ids are never used again, and their slot is found without a search.
std::uint64_t request_mix::take_slot(expectation expected)
{
    slot& taken = slots_[free_.back()];
    taken.id = (taken.id == 0 ? free_.back() : taken.id) + slots_.size();
    taken.expected = expected;
    taken.has_parts = false;
    taken.parts = 0;
    free_.pop_back();
    return taken.id;
}

void request_mix::add_next(std::string& out)
{
    const std::size_t dice = random(100);
    if (dice < 50)
        add_echo(out);
    else if (dice < 70)
        add_delay(out);
    else if (dice < 77)
        add_endless(out);
    else if (dice < 80)
        add_race(out);
    else if (dice < 86)
        add_error(out);
    else if (dice < 90)
        add_bad_line(out);
    else if (dice < 96)
        add_notification(out);
    else
        add_batch(out);
}

void request_mix::add_echo(std::string& out)
{
    out += echo_request(take_slot(expectation::result));
}

void request_mix::add_delay(std::string& out)
{
    const std::uint64_t id = take_slot(expectation::result);
    out += request(id, "delay", R"({"ms":)" + std::to_string(random(4)) + R"(,"value":[)" + std::to_string(id) + "]}");
}

// It is cancelled when others have come after it, so that it has started then.
void request_mix::add_endless(std::string& out)
{
    endless_.push_back(take_slot(expectation::cancel));
    out += endless_request(endless_.back());
    if (endless_.size() == max_endless)
        cancel_oldest(out);
}

void request_mix::cancel_oldest(std::string& out)
{
    out += cancel_of(endless_.front());
    endless_.erase(endless_.begin());
}

void request_mix::add_last_cancels(std::string& out)
{
    while (!endless_.empty())
        cancel_oldest(out);
}

// The cancel of the one before may come before its end, or after it.
void request_mix::add_race(std::string& out)
{
    if (racing_ != 0)
        out += cancel_of(racing_);
    racing_ = take_slot(expectation::late_cancel);
    out += request(racing_, "delay",
                   R"({"ms":)" + std::to_string(random(2)) + R"(,"value":[)" + std::to_string(racing_) + "]}");
}

void request_mix::add_long_results(std::string& out)
{
    std::string cancels;
    for (std::size_t i = 0; i != long_results; ++i) {
        const bool is_cancelled = i % 4 == 3;
        const std::uint64_t id = take_slot(is_cancelled ? expectation::late_cancel : expectation::result);
        slots_[id % slots_.size()].has_parts = true;
        out += request(id, "parts", R"({"count":)" + std::to_string(parts_of_one) + R"(,"bytes":4096})");
        if (is_cancelled)
            cancels += cancel_of(id);
    }
    out += cancels;
}

void request_mix::add_error(std::string& out)
{
    if (random(2) == 0)
        out += request(take_slot(expectation::unknown_method), "nothing", "{}");
    else
        out += request(take_slot(expectation::bad_params), "delay", R"({"ms":"long"})");
}

void request_mix::add_bad_line(std::string& out)
{
    ++bad_lines_;
    out += random(2) == 0 ? "rubbish\n" : "{\"foo\":\"boo\"}\n";
}

void request_mix::add_notification(std::string& out)
{
    ++counts_.notifications;
    out += notification(random(2) == 0 ? "echo" : "nothing", "[1]");
}

void request_mix::add_batch(std::string& out)
{
    out += '[';
    for (std::size_t i = 2 + random(longest_batch - 1); i != 0; --i) {
        random(2) == 0 ? add_echo(out) : add_delay(out);
        out.back() = ',';
    }
    add_notification(out);
    out.back() = ']';
    out += '\n';
}

void request_mix::on_line(std::string_view line)
{
    if (line.starts_with('['))
        on_batch(line);
    else
        on_reply(line);
}

// None of the replies here holds what stands between two of them.
void request_mix::on_batch(std::string_view line)
{
    if (!line.ends_with(']'))
        refuse("no array", line);
    ++counts_.batches;
    line = line.substr(1, line.size() - 2);
    for (std::size_t end; (end = line.find("},{")) != std::string_view::npos; line.remove_prefix(end + 2))
        on_reply(line.substr(0, end + 1));
    on_reply(line);
}

void request_mix::on_reply(std::string_view reply)
{
    std::string_view rest = reply;
    if (skip(rest, R"({"jsonrpc":"2.0","method":"part","params":{"id":)"))
        return on_part(reply, rest);
    if (!skip(rest, R"({"jsonrpc":"2.0","id":)"))
        refuse("no reply", reply);
    if (skip(rest, "null,\"error\":"))
        return on_bad_line();
    std::uint64_t id = 0;
    if (!read_number(rest, id))
        refuse("no number for an id", reply);
    slot& own = find(id, reply);

    int code = 0;
    if (!is_result(own, rest) &&
        !(skip(rest, ",\"error\":{\"code\":") && read_number(rest, code) && rest.ends_with("}}")))
        refuse("not the answer", reply);
    try {
        count(own.expected, code);
    } catch (const std::runtime_error& e) {
        refuse(e.what(), reply);
    }
    own.expected = expectation::nothing;
    free_.push_back(static_cast<std::uint32_t>(id % slots_.size()));
    ++answered_;
}

request_mix::slot& request_mix::find(std::uint64_t id, std::string_view line)
{
    slot& own = slots_[id % slots_.size()];
    if (own.id != id || own.expected == expectation::nothing)
        refuse("nobody waits for this", line);
    return own;
}

bool request_mix::is_result(const slot& own, std::string_view rest)
{
    std::uint64_t value = 0;
    if (own.has_parts)
        return skip(rest, R"(,"result":{"parts":)") && read_number(rest, value) && value == own.parts && rest == "}}" &&
               value == parts_of_one;
    return skip(rest, ",\"result\":[") && read_number(rest, value) && value == own.id && rest == "]}";
}

// All parts come, and in order, before their result.
void request_mix::on_part(std::string_view line, std::string_view rest)
{
    std::uint64_t id = 0, index = 0;
    if (!read_number(rest, id) || !skip(rest, ",\"index\":") || !read_number(rest, index))
        refuse("no part", line);
    slot& own = find(id, line);
    if (!own.has_parts || own.parts != index)
        refuse("not the next part", line);
    ++own.parts;
    ++counts_.parts;
}

void request_mix::on_bad_line()
{
    if (bad_lines_ == 0)
        throw std::runtime_error("an error without an id more than there were bad lines");
    --bad_lines_;
    ++counts_.bad_lines;
    ++answered_;
}

void request_mix::count(expectation expected, int code)
{
    if (code == 0 && (expected == expectation::result || expected == expectation::late_cancel))
        ++(expected == expectation::result ? counts_.results : counts_.cancelled_too_late);
    else if (code == -32800 && (expected == expectation::cancel || expected == expectation::late_cancel))
        ++counts_.cancelled;
    else if ((code == -32601 && expected == expectation::unknown_method) ||
             (code == -32602 && expected == expectation::bad_params))
        ++counts_.errors;
    else
        throw std::runtime_error("not the answer");
}

} // namespace partyline::test
