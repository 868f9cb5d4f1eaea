#include <partyline/http/document_fetcher.hpp>

#include "http/connections/fetch_document.hpp"
#include "session/current_exception.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/protocol/printable.hpp>

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

// In one line.
std::string words_of(std::exception_ptr thrown)
{
    constexpr std::size_t longest = 1000;
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const std::exception& e) {
        return printable(exception_text(e), longest);
    } catch (...) {
        return current_exception_text();
    }
}

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
