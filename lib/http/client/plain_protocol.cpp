#include "http/client/exchange_protocol.hpp"

#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

class plain_protocol final : public exchange_protocol {
public:
    explicit plain_protocol(std::string cancel_method) : cancel_method_(std::move(cancel_method)) {}

    std::vector<field_text> fields_for(const posted_message&) override { return {}; }
    // Replies are not posted: the server could not tell to whose request one belongs.
    bool is_posted(const posted_message& sent) const override
    {
        return sent.type != message_type::reply && sent.method != cancel_method_;
    }
    bool goes_ahead(const posted_message&) const override { return false; }
    void on_answered(const posted_message&, const received_head&) override {}
    void on_message(const posted_message&, std::string&) override {}
    asio::awaitable<bool> recover(client_driver&, const posted_message&, int, std::vector<field_text>) override
    {
        co_return false;
    }
    bool takes_refusals_of_any_id() const noexcept override { return false; }
    bool heeds_retry_after() const noexcept override { return false; }
    bool resumes() const noexcept override { return false; }
    asio::awaitable<void> listen(std::shared_ptr<client_driver>) override { co_return; }
    asio::awaitable<void> leave(std::shared_ptr<client_driver>) override { co_return; }

private:
    const std::string cancel_method_;
};

} // namespace

std::unique_ptr<exchange_protocol> make_plain_protocol(std::string cancel_method)
{
    return std::make_unique<plain_protocol>(std::move(cancel_method));
}

} // namespace partyline::http
