#include "http/connections/fetch_document.hpp"

#include "http/access/public_address.hpp"
#include "http/connections/answer_stream.hpp"
#include "http/connections/client_failure.hpp"
#include "http/connections/connection_pool.hpp"
#include "http/connections/refusal.hpp"
#include "http/wire/media.hpp"
#include "session/redaction.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>

#include <memory>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

url address_of(const document_request& wanted)
{
    url to = parse_url(wanted.url);
    const bool is_taken = to.scheme == url_scheme::https || (to.scheme == url_scheme::http && wanted.allow_private);
    if (!is_taken)
        throw std::invalid_argument("'" + printable(redacted(wanted.url), longest_shown) + "' is to begin with https");
    return to;
}

// The address that the rule has refused, for the text.
using refused_address = std::shared_ptr<std::string>;

address_rule rule_for(const url& to, bool allow_private, refused_address refused)
{
    return [is_plain = !to.is_secure(), allow_private, refused = std::move(refused)](const asio::ip::address& each) {
        const bool is_taken = is_plain ? each.is_loopback() : allow_private || is_public_address(each);
        if (!is_taken)
            *refused = each.to_string();
        return is_taken;
    };
}

// What a proxy looks up is unknown here.
void check_host(const url& to, const address_rule& rule)
{
    error_code is_name;
    const asio::ip::address address = asio::ip::make_address(to.host, is_name);
    if (!is_name && !rule(address))
        throw boost::system::system_error(asio::error::access_denied);
}

connection_options options_for(document_way by, const url& to, address_rule rule)
{
    connection_options how;
    how.connections = 1;
    how.secure = std::move(by.secure);
    if (by.proxy && to.is_secure()) { // what is plain is on this machine
        check_host(to, rule);
        how.proxy = std::move(by.proxy);
    } else {
        how.addresses = std::move(rule);
    }
    return how;
}

bool has_document(const received_head& head)
{
    const std::string_view type = head.find("content-type");
    return (is_json_type(type) || is_key_set_type(type)) && !is_encoded(head);
}

void check_head(const received_head& head)
{
    if (head.status != 200)
        fail(errc::http_status, status_words(head, nullptr));
    if (!has_document(head))
        fail(errc::bad_reply, no_reply_words(head, std::nullopt, nullptr) + ": JSON is expected");
}

void take_any(const received_head&) {}

using head_check = void (*)(const received_head&);

asio::awaitable<document_answer> ask(asio::any_io_executor serial, document_way by, document_request wanted,
                                     client_request asked, head_check check, time_limit until)
{
    const url to = address_of(wanted);
    const auto refused = std::make_shared<std::string>();
    address_rule rule = rule_for(to, wanted.allow_private, refused);
    asked.target = to.target;
    try {
        connection_pool pool(serial, to, options_for(std::move(by), to, std::move(rule)));
        pooled_response response = co_await pool.send(std::move(asked), until);
        check(response.head());
        document_answer answer;
        answer.status = response.head().status;
        if (has_document(response.head()))
            answer.text = co_await response.read_all(wanted.max_bytes, until);
        co_return answer;
    } catch (const boost::system::system_error&) {
        if (refused->empty())
            throw;
    }
    fail(asio::error::access_denied, to.host + " has the address " + *refused +
                                         (to.is_secure() ? ", which is not public" : ", which is not loopback"));
}

} // namespace

asio::awaitable<document_answer> ask_document(asio::any_io_executor serial, document_way by, document_request wanted,
                                              client_request asked, time_limit until)
{
    return ask(std::move(serial), std::move(by), std::move(wanted), std::move(asked), take_any, until);
}

asio::awaitable<std::string> fetch_document(asio::any_io_executor serial, partyline::detail::secure_connector secure,
                                            document_request wanted, time_limit until)
{
    client_request asked;
    asked.fields = {{"Accept", "application/json, application/jwk-set+json"}};
    document_way by;
    by.secure = std::move(secure);
    document_answer answer =
        co_await ask(std::move(serial), std::move(by), std::move(wanted), std::move(asked), check_head, until);
    co_return std::move(answer.text);
}

} // namespace partyline::http
