// Requests that need a token.

#include "http/access/read_challenge.hpp"
#include "http/client/client_driver.hpp"
#include "http/client/request_token.hpp"
#include "http/connections/refusal.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

asio::awaitable<pooled_response> client_driver::send(client_request request, time_limit until)
{
    return tokens_ ? send_with_token(std::move(request), until) : pool_.send(std::move(request), until);
}

// A refused request has not been served, so it may be sent again. The wait for a token holds no connection, and is not
// part of the time.
asio::awaitable<pooled_response> client_driver::send_with_token(client_request request, time_limit until)
{
    const auto time = until - std::chrono::steady_clock::now();
    request_token token(*tokens_);
    co_await token.get();
    for (;;) {
        client_request next = request;
        token.add_to(next);
        const time_limit limit = until == no_time_limit ? until : std::chrono::steady_clock::now() + time;
        pooled_response answer = co_await pool_.send(std::move(next), limit);
        if (has_ended() || !is_token_refusal(answer.head()))
            co_return answer;
        challenge refusal = read_challenge(answer.head().status, answer.head().fields);
        std::string words;
        {
            pooled_response refused = std::move(answer); // its connection is free for others
            words = co_await refusal_words(refused, max_message());
        }
        co_await token.replace(std::move(refusal), std::move(words));
    }
}

} // namespace partyline::http
