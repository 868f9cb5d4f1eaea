#pragma once

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace partyline::http {

/// Peers that wait for something which there is only so much of, by where they come from: where somebody has to leave,
/// it is one of the origin that has most there, so that nobody who comes again and again keeps others out.
///
/// Cost: the logarithm of the number of origins. Memory: of the origins that have somebody there.
/// Thread safety: none.
class origin_queue {
    struct origin;

public:
    /// Who is in one queue at a time, and leaves it before it is destroyed.
    class member {
        friend class origin_queue;
        boost::intrusive::list_member_hook<> place_;
        origin* of_ = nullptr;
    };

    /// `origin_name`: of addresses that of their network, see `origin_of()`. Throws `std::bad_alloc`, and then it is
    /// not there.
    void add(member& one, std::string_view origin_name);
    /// Nothing happens to one that is not there.
    void remove(member& one) noexcept;
    /// Of the origin that has most, the one that came first. Of origins that have as many, the one that has had them
    /// for longest. Before: somebody is there.
    member& next_to_leave() noexcept { return by_size_.begin()->members.front(); }
    std::size_t size() const noexcept { return size_; }

private:
    using member_place = boost::intrusive::member_hook<member, boost::intrusive::list_member_hook<>, &member::place_>;
    struct origin : boost::intrusive::set_base_hook<> {
        std::string_view name; // its key
        boost::intrusive::list<member, member_place> members;
    };
    struct larger {
        bool operator()(const origin& a, const origin& b) const noexcept { return a.members.size() > b.members.size(); }
    };

    std::map<std::string, origin, std::less<>> origins_;
    boost::intrusive::multiset<origin, boost::intrusive::compare<larger>> by_size_;
    std::size_t size_ = 0;
};

} // namespace partyline::http
