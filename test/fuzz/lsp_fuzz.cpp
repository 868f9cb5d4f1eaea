// Sessions in the LSP profile, fed with anything: in lines, and the same messages behind headers.
//
// Under the oracle every method answers before the next message is looked at, so that a model of the lifecycle knows
// what each request is answered, in which order, and how it ends; however the stream is cut and framed. Without the
// oracle anything may happen at any time; then the session must come to an end, say whole messages, and answer no id
// more often than it was asked.

#include "fuzz/fuzz_input.hpp"
#include "fuzz/lsp_methods.hpp"
#include "fuzz/lsp_model.hpp"
#include "fuzz/session_ledger.hpp"
#include "fuzz/session_run.hpp"
#include "fuzz/session_steps.hpp"

#include <partyline/lsp/profile.hpp>

#include <string>
#include <vector>

using namespace partyline::test;
using partyline::framing_kind;
using partyline::session_options;

namespace {

session_options lsp_options(framing_kind framing)
{
    session_options options;
    options.profile = &partyline::lsp::profile;
    options.framing = framing;
    options.executor_is_serial = true;
    return options;
}

std::string joined(const std::vector<std::string>& answers)
{
    std::string text;
    for (const std::string& each : answers)
        text.append(each).append("\n");
    return text;
}

void check(const session_run& run, std::string_view lines, const lsp_conversation& expected)
{
    const lsp_conversation said = read_lsp(lines);
    if (!said.is_certain || !expected.is_certain)
        return;
    require(said.answers == expected.answers, "every request is answered as it was owed",
            joined(expected.answers) + "and not\n" + std::string(lines));
    require(run.result() == expected.end, "it ends as it was owed", run.result().message());
}

void run_oracle(framing_kind framing, fuzz_input& input, const std::vector<std::string>& messages)
{
    const bool has_headers = framing == framing_kind::content_length;
    const std::string framed = has_headers ? behind_headers(messages) : std::string(input.text());
    session_run run(plain_lsp_methods(), lsp_options(framing), choose_capacity(input));
    for (std::string_view text = framed; !text.empty();) {
        const std::size_t size = piece_size(input.choose_again(9), text.size());
        run.send(text.substr(0, size));
        run.settle();
        text.remove_prefix(size);
    }
    run.end_input();
    run.settle();
    run.finish();
    check(run, has_headers ? without_headers(run.said()) : run.said(), expect_lsp(messages));
}

void run_without_oracle(framing_kind framing, fuzz_input& input, const std::vector<std::string>& messages)
{
    const bool has_headers = framing == framing_kind::content_length;
    session_options options = lsp_options(framing);
    options.bounds.message_bytes = input.choose_of({std::size_t(1) << 24, 64, 80, 100, 200, 1'000});
    options.bounds.depth = input.choose_of({128, 1, 2, 3, 5});
    choose_room(input, options);
    const asked stream = read_requests(input.text(), options.bounds);
    session_run run(all_lsp_methods(), options, choose_capacity(input));
    const std::string framed = has_headers ? behind_headers(messages) : std::string(input.text());
    run_freely(run, input, framed);
    if (run.is_cut_off())
        return;
    const std::string said = has_headers ? without_headers(run.said()) : run.said();
    check_ids(stream, read_answers(said), said);
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    const bool is_free = input.choose(2) != 0;
    const framing_kind framing = input.choose(2) == 0 ? framing_kind::lines : framing_kind::content_length;
    const std::vector<std::string> messages = messages_of(input.text());
    if (is_free)
        run_without_oracle(framing, input, messages);
    else
        run_oracle(framing, input, messages);
    return 0;
}
