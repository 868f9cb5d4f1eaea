#pragma once

#include "session/live_counters.hpp"
#include "session/requests/in_flight_table.hpp"
#include "session/serve/served_request.hpp"

#include <boost/intrusive/list.hpp>

#include <cstddef>
#include <string_view>

namespace partyline {

/// The requests of one session that have no answer yet: those whose handler has suspended, or runs elsewhere, in a
/// list; and with them whatever else is in flight (waits for its turn, or for room for its reply) by its id.
class running_requests {
public:
    explicit running_requests(live_counters& counters) noexcept : counters_(counters) {}
    ~running_requests() { list_.clear(); }

    bool empty() const noexcept { return list_.empty(); }
    std::size_t size() const noexcept { return list_.size(); }

    /// The request in flight whose id has this key; null without.
    incoming_request* find(std::string_view key) const { return table_.find(key); }
    /// Makes a request known by its id; a notification has none.
    void list_id(incoming_request& of)
    {
        if (!of.is_notification())
            table_.insert(of);
    }
    void release_id(incoming_request& of) noexcept
    {
        if (of.is_listed)
            table_.erase(of);
    }

    /// From here on it can be cancelled, and its id is taken.
    void enter(served_request& suspended);
    /// Nothing here refers to it any more.
    void leave(served_request& done) noexcept
    {
        release_id(done);
        if (!done.is_linked()) [[likely]]
            return; // its handler did not suspend
        list_.erase(list_.iterator_to(done));
        counters_.in_flight.sub(1);
    }
    /// Lets go of all of them: they were given up.
    void forget_all() noexcept;

    /// Calls `function` once with each of those that there are now, whatever of them ends meanwhile.
    template <class Function>
    void for_each(Function function);
    /// The same for one that ends none of them.
    template <class Function>
    void look_at_each(Function function) const
    {
        for (const served_request& one : list_)
            function(one);
    }

private:
    using request_list = boost::intrusive::list<served_request, boost::intrusive::constant_time_size<false>>;

    live_counters& counters_;
    in_flight_table table_;
    request_list list_;
};

// A request whose end comes at once leaves the list meanwhile, so each goes to its back.
template <class Function>
void running_requests::for_each(Function function)
{
    for (std::size_t left = list_.size(); left != 0 && !list_.empty(); --left) {
        served_request& next = list_.front();
        list_.pop_front();
        list_.push_back(next);
        function(next);
    }
}

} // namespace partyline
