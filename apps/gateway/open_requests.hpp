#pragma once

#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gateway {

/// The requests of a host that its server owes a reply. Messages pass from one to the other as they are; where they
/// can't, this has the reply in the server's place.
/// Thread safety: none.
class open_requests {
public:
    explicit open_requests(const partyline::limits& bounds) : bounds_(bounds), reader_(bounds) {}

    /// The host has said that. Returns what it is answered here, since no server could take it: what is no JSON may be
    /// no text either, over which a WebSocket breaks. Empty: nothing.
    std::string note_asked(const partyline::frame& come);
    /// The server has said that.
    void note_answered(std::string_view text);

    bool empty() const noexcept { return owed_.empty(); }
    /// The host has cancelled whatever it has no reply to. It may still get one: where it has cancelled as MCP does,
    /// none is owed.
    bool are_cancelled() const noexcept;
    /// What each of them is answered in place of the server, which owes none any more.
    std::vector<std::string> take_failures();

private:
    struct request {
        std::string id; // its exact text
        bool is_cancelled = false;
    };

    template <class Take>
    void for_each(const partyline::message& read, Take take);
    void note_cancelled(const partyline::message& told);

    partyline::limits bounds_;
    partyline::message_reader reader_;
    std::map<std::string, request, std::less<>> owed_; // by the keys of the ids
};

} // namespace gateway
