#include "relay_dialogue.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <utility>

namespace partyline::test {

class relay_dialogue::server_in_memory final : public gateway::server_source {
public:
    server_in_memory(const boost::asio::any_io_executor& executor, gateway::server_use use, method_table answers)
        : server_in_memory(memory_stream::make_pair(executor), use, std::move(answers))
    {
    }

    void start(std::function<void(error_code)> on_end) override
    {
        client_.async_run(std::move(on_end));
        server_.async_run([](error_code) {});
    }
    void close() override { client_.close(); }
    void stop() noexcept override { client_.stop(); }
    caller& server() override { return client_; }
    rpc_error no_answer(const error_code& why, const std::string&) const override
    {
        return {error_codes::internal_error, why.message()};
    }

    /// The server's side.
    session& itself() { return server_; }

private:
    server_in_memory(std::pair<memory_stream, memory_stream> ends, const gateway::server_use& use, method_table answers)
        : client_(std::move(ends.first), use.methods, options_for(use)),
          server_(std::move(ends.second), std::move(answers), options_for({use.profile, {}, {}, {}, {}}))
    {
    }

    static session_options options_for(const gateway::server_use& use)
    {
        session_options how;
        how.profile = use.profile;
        how.on_message = use.on_message;
        return how;
    }

    session client_;
    session server_;
};

relay_dialogue::~relay_dialogue()
{
    destroy_session();
    settle();
}

void relay_dialogue::relay_to_server(gateway::protocol speaks, bool is_shared, bool is_told_peers)
{
    gateway::upstream_options how;
    how.open = [this](gateway::server_use use) {
        method_table answers;
        answers.set_fallback([this](request_context& context, json_text params) -> boost::asio::awaitable<json_text> {
            arrived.push_back(std::string(context.method()) + ' ' + params.text());
            const auto found = results.find(context.method());
            if (!is_answering)
                co_await unanswered_.wait();
            co_return json_text(found == results.end() ? "null" : found->second);
        });
        server_ = std::make_shared<server_in_memory>(context.get_executor(), std::move(use), std::move(answers));
        return server_;
    };
    how.speaks = speaks;
    how.is_shared = is_shared;
    how.is_told_peers = is_told_peers;
    how.running = &running_;
    upstream_ = std::make_shared<gateway::upstream>(context.get_executor(), std::move(how));
    const auto client = std::make_shared<gateway::relay>(speaks, upstream_);
    options.profile = &client->profile();
    other_methods = gateway::relay::methods_of(client);
}

void relay_dialogue::use(std::shared_ptr<const access_view> view)
{
    server().use_access(std::move(view));
    settle();
}

std::string relay_dialogue::answer(std::string_view method, std::string_view params)
{
    send(request("1", method, params));
    return receive();
}

void relay_dialogue::tell(std::string method, std::string_view params)
{
    server_->itself().notify(std::move(method), json_text(std::string(params)))([](error_code, auto) {});
    settle();
}

} // namespace partyline::test
