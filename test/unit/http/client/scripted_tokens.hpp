#pragma once

#include <partyline/async/async_event.hpp>
#include <partyline/http/client_errc.hpp>
#include <partyline/http/token_source.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace partyline::test {

/// A source of tokens as a test has them.
class scripted_tokens final : public http::token_source {
public:
    scripted_tokens(const boost::asio::any_io_executor& executor, std::string server)
        : may_go_on(executor), server_(std::move(server))
    {
        may_go_on.set();
    }

    std::string server() const override { return server_; }
    std::optional<std::string> known() override { return current; }
    boost::asio::awaitable<std::string> token(std::optional<http::challenge> after) override
    {
        asked.push_back(after);
        if (after && current && after->refused_token != *current)
            co_return *current;
        if (!is_fetching) {
            is_fetching = true;
            ++fetched;
            auto pause = may_go_on.async_wait(boost::asio::use_awaitable);
            co_await std::move(pause);
            is_fetching = false;
            take_next();
        } else {
            auto others = may_go_on.async_wait(boost::asio::use_awaitable);
            co_await std::move(others);
        }
        co_return current.value();
    }

    std::optional<std::string> current = ""; // nothing: it has to be asked for
    std::deque<std::string> next;            // the tokens to come
    std::vector<std::optional<http::challenge>> asked;
    async_event may_go_on; // reset: tokens take time
    int fetched = 0;

private:
    void take_next()
    {
        if (next.empty())
            throw boost::system::system_error(http::client_errc::unauthorized, "there are no more");
        current = next.front();
        next.pop_front();
    }

    const std::string server_;
    bool is_fetching = false;
};

} // namespace partyline::test
