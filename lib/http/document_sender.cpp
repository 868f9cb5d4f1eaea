#include <partyline/http/document_sender.hpp>

#include "http/client/retry_after.hpp"
#include "http/connections/client_failure.hpp"
#include "http/connections/connection_pool.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/strand.hpp>

#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

constexpr std::size_t most_of_answer = std::size_t(64) << 10;

client_request request_for(const url& to, const document_to_send& what)
{
    client_request request;
    request.method = "POST";
    request.target = to.target;
    request.fields.push_back({"Content-Type", what.type});
    for (const auto& [name, value] : what.fields)
        request.fields.push_back({name, value});
    request.body = what.body;
    return request;
}

connection_options options_for(partyline::detail::secure_connector secure)
{
    connection_options how;
    how.connections = 1;
    how.secure = std::move(secure);
    return how;
}

// What does not come is not missed: the status has said it all.
asio::awaitable<std::string> read_answer(pooled_response& from, time_limit until)
{
    try {
        co_return co_await from.read_all(most_of_answer, until);
    } catch (const boost::system::system_error&) {
    }
    co_return std::string();
}

asio::awaitable<document_receipt> send(asio::any_io_executor serial, partyline::detail::secure_connector secure,
                                       document_to_send what)
{
    const time_limit until = std::chrono::steady_clock::now() + what.timeout;
    const url to = parse_url(what.url);
    connection_pool pool(serial, to, options_for(std::move(secure)));
    pooled_response response = co_await pool.send(request_for(to, what), until);
    document_receipt got;
    got.status = response.head().status;
    got.retry_after =
        retry_after(response.head(), std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
    got.answer = co_await read_answer(response, until);
    co_return got;
}

} // namespace

document_sender make_document_sender(asio::any_io_executor executor, partyline::detail::secure_connector tls)
{
    return [executor = std::move(executor), tls = std::move(tls)](const document_to_send& what, receipt_receiver done) {
        const asio::any_io_executor strand = asio::make_strand(executor);
        asio::co_spawn(strand, send(strand, tls, what),
                       [done = std::move(done)](std::exception_ptr thrown, document_receipt got) {
                           if (thrown)
                               got.failure = words_of(std::move(thrown));
                           done(std::move(got));
                       });
    };
}

} // namespace partyline::http
