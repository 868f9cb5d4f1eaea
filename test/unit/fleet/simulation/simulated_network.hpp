#pragma once

#include "fleet/wire/bus_message.hpp"
#include "unit/fleet/simulation/virtual_time.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace partyline::test {

/// A message that the network keeps a copy of.
struct parcel {
    std::string subject;
    std::string reply_to = {};
    int status = 0;
    std::string payload = {};
    std::string message_id = {};
    bool is_create = false;
    std::string shown_subject = {}; // where it differs from that by which it is delivered
};

/// A program that is connected to the server.
class network_member {
public:
    virtual ~network_member() = default;
    virtual const std::string& name() const = 0;
    virtual void receive(const parcel& message) = 0;
};

/// One hop of a message: from a member to the server, or from there to a member.
struct hop {
    std::size_t index;
    std::string from; // "server", or a member's name
    std::string to;
    std::string subject;
};

/// What becomes of a message on a hop.
struct fate {
    bool is_lost = false;
    bool is_doubled = false;
    virtual_time::duration delay = std::chrono::microseconds(200);
};

/// The connections between members and the server. Each message takes two hops; a test decides on the fate of each.
class simulated_network {
public:
    explicit simulated_network(virtual_time& time) : time_(time) {}

    /// What the server does with a message of a member. Set by the server.
    std::function<void(const parcel&)> serve;
    /// The fate of each hop, and what else happens at it.
    std::function<fate(const hop&)> decide;

    /// `pattern`: a subject, or the beginning of subjects that ends with a point.
    void subscribe(const std::string& pattern, const std::shared_ptr<network_member>& member);
    void unsubscribe(const std::string& pattern, const std::string& member);
    /// It is gone: what was on its way to it is lost.
    void remove(const std::string& member);
    /// Its connection is lost, and comes again without what was on its way.
    void cut(const std::string& member) { cut_.insert(member); }
    void restore(const std::string& member) { cut_.erase(member); }

    /// From a member to the server.
    void publish(const std::string& from, const fleet::publication& what);
    /// From the server to all that have subscribed; false where nobody has.
    bool send(const parcel& message);
    bool has_subscriber(const std::string& subject) const;

    std::size_t hops() const { return hops_; }

private:
    std::vector<std::shared_ptr<network_member>> subscribers(const std::string& subject) const;
    void pass(const std::string& from, const std::string& to, const std::string& subject,
              const std::function<void()>& arrive);

    virtual_time& time_;
    std::size_t hops_ = 0;
    std::set<std::string> cut_;
    std::multimap<std::string, std::shared_ptr<network_member>> subscriptions_;
};

} // namespace partyline::test
