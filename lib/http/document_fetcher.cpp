#include <partyline/http/document_fetcher.hpp>

#include "http/connections/client_failure.hpp"
#include "http/connections/fetch_document.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>
#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

constexpr std::chrono::seconds most_time(10);

void tell(const document_receiver& done, std::exception_ptr thrown, std::string text)
{
    if (thrown)
        done({}, words_of(std::move(thrown)));
    else if (text.empty())
        done({}, "the document is empty");
    else
        done(std::move(text), {});
}

} // namespace

document_fetcher make_document_fetcher(asio::any_io_executor executor, partyline::detail::secure_connector tls)
{
    return
        [executor = std::move(executor), tls = std::move(tls)](const document_request& wanted, document_receiver done) {
            const asio::any_io_executor strand = asio::make_strand(executor);
            const time_limit until = std::chrono::steady_clock::now() + most_time;
            asio::co_spawn(strand, fetch_document(strand, tls, wanted, until),
                           [done = std::move(done)](std::exception_ptr thrown, std::string text) {
                               tell(done, std::move(thrown), std::move(text));
                           });
        };
}

} // namespace partyline::http
