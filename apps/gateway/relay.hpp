#pragma once

#include "gateway/last_word.hpp"
#include "gateway/relay_profile.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/session_link.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gateway {

class upstream;

inline constexpr std::string_view listen_method = "subscriptions/listen";
inline constexpr std::string_view log_method = "notifications/message";
/// In `_meta` of what is said of a subscription: the id of the request for that.
inline constexpr std::string_view subscription_member = "io.modelcontextprotocol/subscriptionId";

/// Connects the conversation with one client to a server: what either side asks or tells goes to the other one, with the same
/// params and results, to the byte. Ids and progress tokens are those of each side's session.
///
/// Ownership: the client's conversation, as its methods. Its end is the end of a server of its own.
/// Thread safety: everything on the executor of the program.
class relay final : public std::enable_shared_from_this<relay> {
public:
    relay(dialect speaks, std::shared_ptr<upstream> server);
    ~relay();

    /// What the conversation is served by, and speaks.
    static std::shared_ptr<const partyline::dispatcher> methods_of(const std::shared_ptr<relay>& one);
    const partyline::profile& profile() const noexcept { return profile_; }

    /// Tells the client.
    void tell(const std::string& method, const partyline::json_text& params);
    /// Tells the client something about a request that is being forwarded, in the answer to that.
    void tell_in(std::uint64_t request, const std::string& method, const partyline::json_text& params);
    /// How many of its requests have asked for what the server logs, or one for a client that has set a level for all; and a
    /// request, where one asks.
    struct log_targets {
        std::size_t count = 0;
        std::optional<std::uint64_t> request;
    };
    log_targets wants_log() const noexcept;
    /// Asks the client.
    ///
    /// Completes with   void(error_code, response)
    /// Fails with       errc::session_closed, and what a call fails with
    /// Cancellation     terminal, partial, total: that of the call to the client
    template <class Token>
    auto async_ask(std::string method, partyline::json_text params, Token&& token)
    {
        return boost::asio::async_initiate<Token, void(partyline::error_code, partyline::response)>(
            [](auto handler, std::shared_ptr<relay> self, std::string name, partyline::json_text given) {
                self->start_ask(std::move(name), std::move(given), last_word::handler(std::move(handler)));
            },
            token, shared_from_this(), std::move(method), std::move(params));
    }

private:
    using json_text = partyline::json_text;
    using number = std::uint64_t; // of a request that is being forwarded
    class opened;

    partyline::task<json_text> forward(partyline::request_context& context, json_text params);
    partyline::call_options options_for(number of, const json_text& params);
    void tell_progress(number of, const boost::json::value& value);
    void start_ask(std::string method, partyline::json_text params, last_word::handler done);
    /// By the request that was made last, so that its answer's stream has it; else by the session.
    partyline::caller& way(partyline::live_session& session);

    relay_profile profile_;
    partyline::method_table methods_;
    std::shared_ptr<upstream> server_;
    std::map<number, partyline::request_context*> open_;
    std::set<number> loggers_; // those of them that have asked for what a shared server logs
    number last_ = 0;
    bool has_log_level_ = false;
};

} // namespace gateway
