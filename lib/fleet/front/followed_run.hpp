#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::fleet {

/// Which messages of a call's runs its client gets before the last one: those of the newest run, each once and in
/// order. A call has several runs where workers were lost; an earlier one may go on after all.
class followed_run {
public:
    /// Whether the client gets this message. One whose number was passed over comes too late.
    bool takes(std::string_view run, std::uint64_t number);

private:
    static constexpr std::size_t max_runs = 16; // of later ones the last message counts

    bool follow(std::string_view run);

    std::vector<std::string> runs_; // the last one is followed
    std::uint64_t last_ = 0;
};

} // namespace partyline::fleet
