// A server over HTTP, whose client sends anything.
//
// Whatever comes, and however: what is sent is whole responses, one for each request at most, none behind one that says
// that it is the last, and the connection comes to its end when the client goes. Where the client reads all and nobody
// waits, each whole request that is to be answered is, and only what ends early may have one more answer.

#include "fuzz/fuzz_input.hpp"
#include "fuzz/http_judge.hpp"
#include "fuzz/http_methods.hpp"
#include "fuzz/http_run.hpp"
#include "http/wire/body_reader.hpp"
#include "http/wire/head_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline::test;
namespace http = partyline::http;

namespace {

constexpr std::size_t most_steps = 300;

// What stands in the bytes of a client.
struct asked {
    std::vector<std::string> methods; // of each head that has come
    std::size_t whole = 0;            // requests
    bool has_more = false;            // behind these
};

// False: the next one does not come to its end.
bool take_request(std::string_view& text, const http::request_limits& most, asked& all)
{
    http::head_reader heads({most.head_bytes, most.fields, most.target_bytes});
    if (heads.read(text) != http::head_reader::state::done)
        return false;
    all.methods.emplace_back(heads.head().method);
    text.remove_prefix(heads.size());
    http::body_reader bodies(most.body_bytes);
    bodies.start(heads.head());
    std::size_t used = 0;
    std::string body;
    const bool is_whole = bodies.read(text, used, body) == http::body_reader::state::done;
    text.remove_prefix(used);
    return is_whole;
}

asked read_requests(std::string_view text, const http::request_limits& most)
{
    asked all;
    while (!text.empty() && take_request(text, most, all))
        ++all.whole;
    all.has_more = !text.empty() || all.methods.size() != all.whole;
    return all;
}

// The number of answers, and whether the last one says that it is.
void check_answers(const asked& came, const std::vector<judged_response>& said, std::string_view text)
{
    require(said.size() <= came.whole + (came.has_more ? 1 : 0), "each request is answered once at most", text);
    for (std::size_t i = 0; i + 1 < said.size(); ++i)
        require(said[i].is_whole && !said[i].is_last, "nothing is sent behind the last answer", text);
}

void run_to_the_end(http_run& run, fuzz_input& input, const http::request_limits& most)
{
    for (const std::string_view piece : cut(input.text(), input)) {
        run.send(piece);
        run.settle_reading();
    }
    const asked came = read_requests(input.text(), most);
    const std::vector<judged_response> said = judge_responses(run.said(), came.methods);
    check_answers(came, said, run.said());
    require(said.empty() || said.back().is_whole, "each answer is sent to its end", run.said());
    const bool is_over = !said.empty() && said.back().is_last;
    require(is_over == run.is_at_end(), "the connection ends with the answer that says so", run.said());
    require(is_over || said.size() == came.whole, "each request is answered", run.said());
    run.finish();
}

// One of the things that may happen; the number of bytes that were sent.
std::size_t take_step(http_run& run, std::size_t choice, std::string_view text)
{
    constexpr std::size_t sizes[] = {4096, 1, 2, 3, 5, 8, 20, 60, 200};
    switch (choice) {
    case 9:
    case 10: run.read(); break;
    case 11: run.settle(); break;
    case 12: run.settle_reading(); break;
    case 13: run.drain(); break;
    case 14: run.end_input(); break;
    case 15: run.stop(); break;
    case 16: run.disconnect(); break;
    default:
        const std::size_t size = std::min(text.size(), sizes[choice]);
        run.send(text.substr(0, size));
        run.turn();
        return size;
    }
    run.turn();
    return 0;
}

void run_freely(http_run& run, fuzz_input& input, const http::request_limits& most)
{
    std::string_view text = input.text();
    for (std::size_t steps = 0; !text.empty() && steps < most_steps; ++steps)
        text.remove_prefix(take_step(run, input.choose_again(17), text));
    run.send(text);
    for (int i = 0; i < 3; ++i) {
        run.settle();
        run.read();
    }
    const asked came = read_requests(input.text(), most);
    check_answers(came, judge_responses(run.said(), came.methods), run.said());
    run.finish();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    http::server_options options;
    const bool is_free = input.choose(2) != 0;
    options.requests.head_bytes = input.choose_of({16384, 300});
    options.requests.body_bytes = input.choose_of({std::size_t(1) << 20, 60, 200});
    options.requests.requests_per_connection = input.choose_of({10000, 1, 2});
    options.session.bounds.outbox_soft_bytes = input.choose_of({std::size_t(1) << 20, 1, 100});
    http_run run(options, is_free ? all_http_methods() : prompt_http_methods(), input.choose(2) != 0);
    if (is_free)
        run_freely(run, input, options.requests);
    else
        run_to_the_end(run, input, options.requests);
    return 0;
}
