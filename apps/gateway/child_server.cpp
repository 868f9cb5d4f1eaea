#include "gateway/child_server.hpp"

#include <partyline/protocol/printable.hpp>
#include <partyline/supervisor.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace gateway {
namespace {

// The last words of a server that has died, which say most. They are any bytes.
std::string last_lines(std::string_view said)
{
    constexpr std::size_t longest = 2000;
    if (said.size() > longest)
        said.remove_prefix(said.size() - longest);
    std::string lines;
    while (!said.empty()) {
        const std::size_t end = std::min(said.find('\n'), said.size());
        lines += (lines.empty() ? "" : "\n") + partyline::printable(said.substr(0, end));
        said.remove_prefix(std::min(end + 1, said.size()));
    }
    return lines;
}

partyline::supervisor_options options_for(const server_use& use, std::chrono::steady_clock::duration exit_wait)
{
    partyline::supervisor_options how;
    how.session.profile = use.profile;
    how.session.executor_is_serial = true; // each thread has a context of its own
    how.session.log = use.log;
    how.session.on_message = use.on_message;
    how.child.exit_wait = how.child.term_wait = exit_wait;
    how.child.errors = partyline::child_stderr::capture;
    how.child.on_stderr_line = [log = use.log](std::string_view line) {
        if (log)
            log("server: " + partyline::printable(line));
    };
    how.on_start = use.on_new;
    return how;
}

class child_server final : public server_source, public std::enable_shared_from_this<child_server> {
public:
    child_server(asio::any_io_executor executor, child_server_options how, server_use use)
        : executor_(std::move(executor)), how_(std::move(how)), use_(std::move(use)), timer_(executor_),
          server_(make_server())
    {
    }

    void start(std::function<void(partyline::error_code)> on_end) override
    {
        on_end_ = std::move(on_end);
        run();
    }
    void close() override
    {
        end_retries();
        server_.close();
    }
    void stop() noexcept override
    {
        end_retries();
        server_.stop();
    }
    partyline::caller& server() override { return server_; }

    partyline::rpc_error no_answer(const partyline::error_code& why, const std::string& details) const override
    {
        json::object data{{"reason", why.message()}};
        if (!details.empty())
            data["details"] = last_lines(details);
        return {partyline::error_codes::internal_error, "The server behind this gateway did not answer",
                std::move(data)};
    }

private:
    partyline::supervisor make_server();
    void run();
    void on_end(partyline::error_code why);
    void retry(const partyline::error_code& why);
    void start_again(partyline::error_code failed);
    void note_sound_later();
    void note_given_up(bool is_given_up);
    void end_retries() noexcept;

    asio::any_io_executor executor_;
    child_server_options how_;
    server_use use_;
    std::function<void(partyline::error_code)> on_end_;
    asio::steady_timer timer_; // of the pause until the next one, or until that one has stayed up
    bool is_stopping_ = false;
    bool is_given_up_ = false; // until another one has stayed up
    partyline::supervisor server_;
};

partyline::supervisor child_server::make_server()
{
    partyline::supervisor_options how = options_for(use_, how_.exit_wait);
    if (is_given_up_)
        how.restart.max_starts = 1; // the next one comes after the long pause
    return {executor_, how_.command, use_.methods, std::move(how)};
}

// The context keeps nothing alive, so that what has not ended when it is destroyed is killed.
void child_server::run()
{
    server_.async_run([late = weak_from_this()](partyline::error_code why) {
        if (const auto self = late.lock())
            self->on_end(why);
    });
}

void child_server::on_end(partyline::error_code why)
{
    const bool is_failure = why && why != asio::error::operation_aborted && !is_stopping_;
    if (is_failure)
        note_given_up(true);
    if (is_failure && how_.retry_after)
        return retry(why);
    if (is_failure && use_.log)
        use_.log("the server is not started again: " + why.message());
    on_end_(is_failure ? why : partyline::error_code());
}

void child_server::retry(const partyline::error_code& why)
{
    if (use_.log)
        use_.log("the server is started again only after --retry-after: " + why.message());
    timer_.expires_after(*how_.retry_after);
    timer_.async_wait([late = weak_from_this()](partyline::error_code failed) {
        if (const auto self = late.lock())
            self->start_again(failed);
    });
}

void child_server::start_again(partyline::error_code failed)
{
    if (failed || is_stopping_)
        return on_end_(partyline::error_code());
    server_ = make_server();
    run();
    note_sound_later();
}

void child_server::note_sound_later()
{
    timer_.expires_after(std::chrono::seconds(2));
    timer_.async_wait([late = weak_from_this()](partyline::error_code failed) {
        if (const auto self = late.lock(); self && !failed)
            self->note_given_up(self->server_.status().state != partyline::supervisor_state::running);
    });
}

void child_server::note_given_up(bool is_given_up)
{
    if (std::exchange(is_given_up_, is_given_up) != is_given_up && how_.on_given_up)
        how_.on_given_up(is_given_up);
}

void child_server::end_retries() noexcept
{
    is_stopping_ = true;
    timer_.cancel();
}

} // namespace

std::shared_ptr<server_source> make_child_server(asio::any_io_executor executor, child_server_options how,
                                                 server_use use)
{
    return std::make_shared<child_server>(std::move(executor), std::move(how), std::move(use));
}

} // namespace gateway
