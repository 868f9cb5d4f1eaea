#pragma once

#include "http/wire/request_head.hpp"

#include <partyline/session/peer_identity.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace partyline::http {

/// What the access log tells of one request. Costs nothing where there is no log.
class access_record {
public:
    using clock = std::chrono::steady_clock;
    using line_writer = std::function<void(std::string_view)>;

    access_record() noexcept;
    ~access_record();

    /// Whether there is a log.
    explicit operator bool() const noexcept { return facts_ != nullptr; }
    /// `log` lives longer.
    void begin(const line_writer& log, const request_head& head, const peer_identity& peer);
    /// Its sender has authenticated as this.
    void note_principal(const peer_identity& peer);
    void note_body(std::size_t bytes) noexcept;
    void note_status(int status) noexcept;
    void note_sent(std::size_t bytes) noexcept;
    /// Its body is a message of JSON-RPC with this method, or is a batch of so many elements.
    void note_message(std::string_view method) noexcept;
    void note_batch(std::size_t elements) noexcept;
    /// That, or an element of it, has been answered with an error of this code.
    void note_error(int code) noexcept;
    /// It has been answered, or its client is gone; so many bytes of the answer are still to be sent.
    void end(std::size_t unsent) noexcept;

private:
    struct facts;
    std::unique_ptr<facts> facts_; // null without a log
};

} // namespace partyline::http
