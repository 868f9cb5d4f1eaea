#pragma once

#include "unit/fleet/simulation/simulated_network.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>

namespace partyline::test {

/// A server with one stream, its consumer and the bucket of claims, as JetStream is documented: one message for each id
/// within two minutes, explicit acknowledgement, an ack wait of 10 s, the oldest age of 10 minutes.
class simulated_server {
public:
    simulated_server(virtual_time& time, simulated_network& network, std::string service);

    std::size_t max_items = 10'000;
    /// Without a leader nobody listens for what JetStream does.
    bool has_leader = true;

    std::size_t items() const { return items_.size(); }
    std::size_t deliveries() const { return deliveries_; }

private:
    struct stored_item {
        std::string payload;
        std::size_t deliveries = 0;
        virtual_time::duration stored_at;
        virtual_time::duration free_at; // it may be delivered from then on
    };
    struct pull {
        std::string reply_to;
        std::size_t count;
        virtual_time::duration ends;
    };
    struct claim {
        std::string message_id;
        virtual_time::duration made_at;
    };

    void serve(const parcel& message);
    void store(const parcel& message);
    void create_claim(const parcel& message);
    void open_pull(const parcel& message);
    void acknowledge(const parcel& message);
    void deliver();
    bool deliver_to(pull& one);
    void wake(virtual_time::duration at);
    void answer(const parcel& request, std::string payload, int status = 0);

    virtual_time& time_;
    simulated_network& network_;
    std::string service_;
    std::uint64_t last_sequence_ = 0;
    std::size_t deliveries_ = 0;
    std::map<std::uint64_t, stored_item> items_;
    std::map<std::string, virtual_time::duration> message_ids_;
    std::map<std::string, claim> claims_;
    std::list<pull> pulls_;
};

} // namespace partyline::test
