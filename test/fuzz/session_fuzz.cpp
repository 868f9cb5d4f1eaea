// Whole sessions, fed with anything.
//
// Under the oracle, a session must say the same lines however its input was cut, and answer everything once. So its
// handlers end at once or after the end of input, and a stream with a cancel is not run there, since what a cancel
// still finds depends on when it comes. Ids may be used twice: either use has ended before the next message is looked
// at, or it lasts to the end of input. Without the oracle anything may happen at any time; then the session must come
// to an end, say whole lines of JSON, and answer no id more often than it was asked.

#include "fuzz/fuzz_input.hpp"
#include "fuzz/session_ledger.hpp"
#include "fuzz/session_methods.hpp"
#include "fuzz/session_run.hpp"
#include "fuzz/session_steps.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace partyline::test;
using partyline::session_options;

namespace {

std::vector<std::string> sorted_lines(std::string_view text)
{
    std::vector<std::string> lines;
    for (; !text.empty(); text.remove_prefix(lines.back().size() + 1))
        lines.emplace_back(text.substr(0, text.find('\n')));
    std::sort(lines.begin(), lines.end());
    return lines;
}

// What the session says, and how it ends: success, or else a word about it.
std::string converse(const session_options& options, std::size_t capacity, std::string_view text, auto next_choice)
{
    session_run run(steady_methods(), options, capacity);
    while (!text.empty()) {
        const std::size_t size = piece_size(next_choice(), text.size());
        run.send(text.substr(0, size));
        run.settle();
        text.remove_prefix(size);
    }
    run.end_input();
    run.settle();
    run.finish();
    require(!run.result(), "a session whose input has ended ends well", run.result().message());
    return run.said();
}

void run_oracle(const session_options& options, fuzz_input& input, const asked& stream)
{
    const std::size_t capacity = choose_capacity(input);
    const std::string expected = converse(options, 65'536, input.text(), [] { return std::size_t(0); });
    const answered said = read_answers(expected);
    check_ids(stream, said, expected);
    require(!said.is_certain || is_all_answered(stream, said), "everything is answered once", expected);

    const std::string got = converse(options, capacity, input.text(), [&] { return input.choose_again(9); });
    require(sorted_lines(got) == sorted_lines(expected), "the same is said however the stream is cut", got);
}

void run_without_oracle(session_options options, fuzz_input& input, const asked& stream)
{
    choose_room(input, options);
    session_run run(all_methods(), options, choose_capacity(input));
    run_freely(run, input, input.text());
    if (!run.is_cut_off())
        check_ids(stream, read_answers(run.said()), run.said());
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    const bool is_free = input.choose(2) != 0;
    session_options options;
    options.bounds.message_bytes = input.choose_of({std::size_t(1) << 24, 64, 80, 100, 200, 1'000});
    options.bounds.depth = input.choose_of({128, 1, 2, 3, 5});
    options.bounds.id_bytes = input.choose_of({1024, 1, 3, 8});
    options.bounds.batch_elements = input.choose_of({1000, 1, 2, 3});
    options.executor_is_serial = true;
    const asked stream = read_requests(input.text(), options.bounds);
    if (is_free || stream.has_cancel)
        run_without_oracle(options, input, stream);
    else
        run_oracle(options, input, stream);
    return 0;
}
