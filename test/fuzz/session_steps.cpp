#include "fuzz/session_steps.hpp"

#include <algorithm>

namespace partyline::test {
namespace {

constexpr std::size_t max_pieces = 64;

// One of the things that may happen while the session runs; the number of bytes that were sent.
std::size_t take_step(session_run& run, std::size_t choice, std::string_view text)
{
    switch (choice) {
    case 9: run.settle(); break;
    case 10: run.pause_reading(); break;
    case 11: run.resume_reading(); break;
    case 12: run.stop(); break;
    case 13: run.end_input(); break;
    case 14: run.drop_connection(); break;
    case 15: run.destroy_session(); break;
    default:
        const std::size_t size = piece_size(choice, text.size());
        run.send(text.substr(0, size));
        run.turn();
        return size;
    }
    run.turn();
    return 0;
}

} // namespace

std::size_t piece_size(std::size_t choice, std::size_t left)
{
    static constexpr std::size_t sizes[] = {4'096, 1, 2, 3, 5, 8, 20, 60, 200};
    return std::min(left, std::max(sizes[choice], left / max_pieces));
}

std::size_t choose_capacity(fuzz_input& input)
{
    return std::max(input.choose_of({65'536, 1, 2, 3, 7, 50, 1'000}), input.text().size() / max_pieces);
}

void choose_room(fuzz_input& input, session_options& options)
{
    options.bounds.in_flight_requests = input.choose_of({1'024, 1, 2, 3});
    options.bounds.in_flight_bytes = input.choose_of({std::size_t(1) << 26, 1, 100, 200});
    options.bounds.waiting_requests = input.choose_of({65'536, 0, 1, 2, 5});
    options.bounds.waiting_bytes = input.choose_of({std::size_t(1) << 26, 1, 100, 200});
    options.bounds.outbox_soft_bytes = input.choose_of({std::size_t(1) << 20, 1, 100});
    options.bounds.outbox_hard_bytes = input.choose_of({std::size_t(1) << 26, 16'384, 17'000, 20'000});
    options.on_overload = input.choose(2) == 0 ? partyline::overload::busy : partyline::overload::pause;
}

void run_freely(session_run& run, fuzz_input& input, std::string_view text)
{
    for (std::size_t steps = 0; !text.empty() && steps < 1'000; ++steps)
        text.remove_prefix(take_step(run, input.choose_again(16), text));
    run.send(text);
    run.finish();
}

} // namespace partyline::test
