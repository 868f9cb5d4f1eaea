#pragma once

#include "request_set.hpp"
#include "wire.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Sees that each request is answered exactly once, and rightly. What is wrong is a `failure` that names the request.
class reply_check {
public:
    /// Every request has to be answered with its result, or with an error of `code`.
    explicit reply_check(const request_set& requests, std::optional<int> code = std::nullopt)
        : requests_(requests), code_(code), is_answered_(requests.ids().count())
    {
    }

    /// Takes what the server said: a reply, or an array of replies.
    void note(std::string_view message);
    /// `note`s all that has come.
    void note_all(const inbox& received);
    /// No request may be without answer.
    void finish() const;

private:
    void note_reply(const boost::json::object& reply, std::string_view text);
    void check_result(std::size_t index, const boost::json::object& reply) const;
    void check_error(std::size_t index, const boost::json::object& reply) const;
    std::size_t mark(std::uint64_t id);

    const request_set& requests_;
    std::optional<int> code_;
    std::vector<bool> is_answered_;
};

/// The message has to be a JSON object.
boost::json::object parse_object(std::string_view message);

/// What `cat` gives back: the requests themselves, in their order or in that of several connections.
void check_same(const request_set& requests, const inbox& received, bool in_order);

/// Sees that so many notifications have come, counting up, and then the right reply to the one request; all of that is
/// forgotten then.
void check_notifying_call(const request_set& requests, inbox& received, std::size_t notifications);

} // namespace bench
