#include "client_plan.hpp"

#include <array>

namespace partyline::test {

// A short one, about.
constexpr std::size_t bytes_of_post = 200;

client_plan patient_plan(post_mix& dice)
{
    client_plan drawn;
    drawn.posts = 1 + dice.random(30);
    drawn.pipelined = dice.random(2) == 0 ? 1 : 1 + dice.random(8);
    if (dice.random(2) == 0)
        drawn.piece = 1 + dice.random(dice.random(2) == 0 ? 20 : 500);
    if (dice.random(2) == 0)
        drawn.end = post_mix::connection::closes;
    return drawn;
}

client_plan any_plan(post_mix& dice)
{
    using leaving = client_plan::leaving;
    client_plan drawn = patient_plan(dice);
    constexpr std::array<leaving, 6> all{leaving::not_early, leaving::not_early, leaving::not_early,
                                         leaving::by_close,  leaving::by_reset,  leaving::by_half_close};
    drawn.leaves = all[dice.random(all.size())];
    if (drawn.leaves == leaving::not_early)
        return drawn;
    switch (dice.random(3)) {
    case 0: drawn.leaves_after_bytes = dice.random(drawn.posts * bytes_of_post); break;
    case 1: drawn.leaves_after_rows = 1 + dice.random(drawn.posts / drawn.pipelined + 1); break;
    default: drawn.leaves_after_reads = 1 + dice.random(drawn.posts); drawn.is_endless = dice.random(2) == 0;
    }
    if (drawn.is_endless)
        drawn.end = post_mix::connection::stays; // that POST asks for nothing else
    return drawn;
}

} // namespace partyline::test
