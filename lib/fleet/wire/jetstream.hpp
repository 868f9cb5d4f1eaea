#pragma once

#include "fleet/wire/bus_message.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::fleet {

// JetStream's API as it is documented, in texts: https://docs.nats.io/reference/reference-protocols/nats_api_reference

/// What a stream says of a message that was published to it, or a bucket of a key that was created.
struct stream_answer {
    enum class kind : std::uint8_t {
        stored,
        duplicate, // it has the message of that id already
        full,      // and keeps what it has
        too_large,
        exists,        // what was to be created
        no_stream,     // nobody listens there: no such stream, or no leader just now
        not_ready,     // it could not keep it just now
        not_understood // no answer of a stream
    };

    kind is = kind::not_understood;
    std::string description = {}; // of an error, as the server words it
};
stream_answer read_stream_answer(const bus_message& message);

/// Asks a consumer for so many messages, until it has waited so long.
std::string pull_request(std::size_t count, std::chrono::nanoseconds expires);

// What is said of a message that a consumer has delivered. Not acknowledged within the ack wait, it comes again;
// `ack_progress` makes that wait begin anew, `ack_back` has it come again after so long, `ack_term` never.
inline constexpr std::string_view ack_done = "+ACK";
inline constexpr std::string_view ack_progress = "+WPI";
inline constexpr std::string_view ack_term = "+TERM";
std::string ack_back(std::chrono::nanoseconds delay);

/// Of streams, consumers and buckets that are created where they are not there yet.
struct queue_settings {
    std::size_t replicas = 1; // 3 where the cluster has them
    std::size_t max_items = 10'000;
    std::size_t max_bytes = std::size_t(256) << 20;
    std::chrono::seconds max_age{600}; // no item is good for longer
    std::chrono::seconds duplicates{120};
    std::chrono::seconds ack_wait{10};
    std::size_t max_ack_pending = 5'000;
    std::size_t max_waiting = 8'192; // pulls of all workers
    std::chrono::seconds claims{600};
};

/// A request to the API: a subject and a text.
struct api_request {
    std::string subject;
    std::string payload;
};
api_request create_queue(std::string_view service, const queue_settings& settings);
api_request create_consumer(std::string_view service, const queue_settings& settings);
api_request create_bucket(std::string_view name, std::chrono::seconds lifetime, const queue_settings& settings);

/// What the API answers. Creating what is there with the same settings is no error.
struct api_answer {
    bool is_ok = false;
    int error_code = 0; // JetStream's own (`err_code`)
    std::string description = {};
};
api_answer read_api_answer(const bus_message& message);

} // namespace partyline::fleet
