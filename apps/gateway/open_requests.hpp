#pragma once

#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gateway {

/// The requests of a host that its server owes a reply. Messages pass from one to the other as they are; where they can't, this has
/// the reply in the server's place.
/// Thread safety: none.
class open_requests {
public:
    explicit open_requests(const partyline::limits& bounds) : bounds_(bounds), reader_(bounds) {}

    /// The host has said that. Returns what it is answered here, since no server could take it: what is no JSON may be no text
    /// either, over which a WebSocket breaks. Empty: nothing.
    std::string note_asked(const partyline::frame& come);
    /// The server has said that.
    void note_answered(std::string_view text);

    bool empty() const noexcept { return ids_.empty(); }
    /// What each of them is answered where the server has gone.
    std::vector<std::string> failures() const;

private:
    template <class Take>
    void for_each(const partyline::message& read, partyline::message_type wanted, Take take);

    partyline::limits bounds_;
    partyline::message_reader reader_;
    std::set<std::string, std::less<>> ids_; // their exact texts
};

} // namespace gateway
