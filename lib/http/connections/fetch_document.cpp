#include "http/connections/fetch_document.hpp"

#include "http/access/public_address.hpp"
#include "http/connections/answer_stream.hpp"
#include "http/connections/client_failure.hpp"
#include "http/connections/connection_pool.hpp"
#include "http/connections/refusal.hpp"
#include "http/wire/media.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/asio/error.hpp>

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
        throw std::invalid_argument("'" + printable(wanted.url, longest_shown) + "' is to begin with https");
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

connection_options options_for(partyline::detail::secure_connector secure, address_rule addresses)
{
    connection_options how;
    how.connections = 1;
    how.secure = std::move(secure);
    how.addresses = std::move(addresses);
    return how;
}

client_request request_for(const url& to)
{
    client_request request;
    request.target = to.target;
    request.fields = {{"Accept", "application/json, application/jwk-set+json"}};
    return request;
}

void check_head(const received_head& head)
{
    if (head.status != 200)
        fail(errc::http_status, status_words(head));
    const std::string_view type = head.find("content-type");
    if ((!is_json_type(type) && !is_key_set_type(type)) || is_encoded(head))
        fail(errc::bad_reply, no_reply_words(head, std::nullopt) + ": JSON is expected");
}

} // namespace

asio::awaitable<std::string> fetch_document(asio::any_io_executor serial, partyline::detail::secure_connector secure,
                                            document_request wanted, time_limit until)
{
    const url to = address_of(wanted);
    const auto refused = std::make_shared<std::string>();
    address_rule rule = rule_for(to, wanted.allow_private, refused);
    connection_pool pool(serial, to, options_for(std::move(secure), std::move(rule)));
    try {
        pooled_response response = co_await pool.send(request_for(to), until);
        check_head(response.head());
        co_return co_await response.read_all(wanted.max_bytes, until);
    } catch (const boost::system::system_error&) {
        if (refused->empty())
            throw;
    }
    fail(asio::error::access_denied, to.host + " has the address " + *refused +
                                         (to.is_secure() ? ", which is not public" : ", which is not loopback"));
}

} // namespace partyline::http
