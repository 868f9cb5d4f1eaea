#pragma once

#include "client_plan.hpp"
#include "support/wire_client/connection.hpp"
#include "support/wire_client/inbox.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace partyline::test {

/// What has become of all that was asked.
struct client_counts {
    std::uint64_t connections = 0;
    std::uint64_t posts = 0;
    std::uint64_t answered = 0;
    std::uint64_t results = 0; // POSTs that got all they had asked for
    std::uint64_t failed = 0;  // requests whose server has died
    std::uint64_t told = 0;    // messages of progress
    std::uint64_t left = 0;    // connections, before all was answered
    std::uint64_t abandoned = 0;
    std::chrono::steady_clock::duration longest_wait{};
};

/// One connection of a client: asks as its plan says, and checks that every answer is the next one that is due.
class client_connection {
public:
    client_connection(std::uint16_t port, post_mix& mix, const client_plan& how, client_counts& counts);

    /// Sends and reads what the socket is ready for, which are events of epoll. False: it is over.
    bool go_on(unsigned events);
    bool wants_to_send() const noexcept { return wire_.has_unsent() || sent_ != text_.size(); }
    int socket() const noexcept { return wire_.socket(); }
    /// What it waits for, in words.
    std::string describe() const;
    /// What its user has asked epoll for.
    bool is_watched_to_send = false;

private:
    using clock = std::chrono::steady_clock;

    bool read();
    void check_messages();
    void take(std::string_view message);
    void forget_first();
    bool is_all_answered() const noexcept;
    void ask();
    void send_piece();
    bool has_reached_its_end() const noexcept;
    bool leave();
    bool note_end();

    wire_client::connection wire_;
    wire_client::inbox inbox_{wire_client::framing::ndjson};
    post_mix& mix_;
    client_plan how_;
    client_counts& counts_;
    std::size_t posts_left_;
    std::string text_; // of the POSTs that are being sent
    std::size_t sent_ = 0;
    clock::time_point asked_;
    std::deque<answer_check> due_;
    std::size_t taken_ = 0; // answers
    std::size_t rows_ = 0;  // of POSTs
    std::size_t reads_ = 0;
    std::size_t bytes_ = 0; // sent before `text_`
    bool has_half_closed_ = false;
};

} // namespace partyline::test
