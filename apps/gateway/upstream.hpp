#pragma once

#include "gateway/relay_profile.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/task.hpp>
#include <partyline/supervisor.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gateway {

class relay;

/// How a server is started, and for whom.
struct upstream_options {
    std::vector<std::string> command;
    dialect speaks = dialect::mcp;
    /// Several clients use it: it can ask none of them, and what it tells unasked all of them hear.
    bool is_shared = false;
    partyline::restart_policy restart = {};
    /// Told the lines of its standard error, and what becomes of it.
    std::function<void(std::string_view)> log = {};
};

/// A server on standard input and output, which is started again when it ends. What is asked of it meanwhile waits; what it
/// was asked before and did not answer fails. A new one is greeted as the last one was.
///
/// Thread safety: everything on the executor of the program.
class upstream final : public std::enable_shared_from_this<upstream> {
public:
    upstream(boost::asio::any_io_executor executor, upstream_options options);

    /// Starts the first one.
    void start();
    /// Ends it in order.
    void stop();
    /// Whether there is one, or one to come.
    bool is_well() const;

    boost::asio::any_io_executor get_executor() const { return executor_; }
    void attach(const std::shared_ptr<relay>& client);
    void detach(const relay& gone) noexcept;

    /// What is said of a subscription (2026-07-28, subscriptions/listen) has the id of its request, which is another one on
    /// each side. A request for one is announced before it is asked, by the number that it has with its relay.
    void expect_listen(const relay& by, std::uint64_t number, std::string client_id);
    void forget_listen(const relay& by, std::uint64_t number) noexcept;

    void tell(const std::string& method, partyline::json_text params);
    /// As `caller::async_call`.
    template <class Token>
    auto async_ask(std::string method, partyline::json_text params, partyline::call_options how, Token&& token)
    {
        note_asked(method, params);
        return server_.async_call(std::move(method), partyline::call_params(std::move(params)), std::move(how),
                                  std::forward<Token>(token));
    }

private:
    partyline::task<partyline::json_text> serve(partyline::request_context& context, partyline::json_text params);
    boost::asio::awaitable<void> greet_again(partyline::caller& server);
    void note_asked(const std::string& method, const partyline::json_text& params);
    partyline::supervisor make_server();
    std::shared_ptr<relay> only_client() const;
    std::shared_ptr<relay> find(const relay* key) const;
    void note_sent(const partyline::message_event& event);
    bool tell_subscriber(const std::string& method, const partyline::json_text& params);

    boost::asio::any_io_executor executor_;
    upstream_options options_;
    std::vector<std::pair<const relay*, std::weak_ptr<relay>>> clients_;
    struct subscription {
        const relay* by = nullptr;
        std::uint64_t number = 0;
        std::string client_id; // the text of the request's id there
    };
    std::deque<subscription> unsent_listens_;
    std::map<std::string, subscription> subscriptions_; // by the text of the request's id here
    std::optional<partyline::json_text> greeting_;      // the params of `initialize`
    bool is_initialized_ = false;
    bool has_begun_ = false;
    partyline::supervisor server_;
};

} // namespace gateway
