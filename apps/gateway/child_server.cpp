#include "gateway/child_server.hpp"

#include <partyline/protocol/printable.hpp>
#include <partyline/supervisor.hpp>

#include <boost/json/object.hpp>

#include <algorithm>
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

partyline::supervisor_options options_for(server_use& use)
{
    partyline::supervisor_options how;
    how.session.profile = use.profile;
    how.session.executor_is_serial = true; // the program has one thread
    how.session.log = use.log;
    how.session.on_message = std::move(use.on_message);
    how.child.errors = partyline::child_stderr::capture;
    how.child.on_stderr_line = [log = use.log](std::string_view line) {
        if (log)
            log("server: " + partyline::printable(line));
    };
    how.on_start = std::move(use.on_new);
    return how;
}

class child_server final : public server_source {
public:
    child_server(asio::any_io_executor executor, std::vector<std::string> command, server_use use)
        : server_(std::move(executor), std::move(command), use.methods, options_for(use))
    {
    }

    void start(std::function<void(partyline::error_code)> on_end) override { server_.async_run(std::move(on_end)); }
    void close() override { server_.close(); }
    void stop() noexcept override { server_.stop(); }
    bool is_well() const override { return server_.status().state != partyline::supervisor_state::ended; }
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
    partyline::supervisor server_;
};

} // namespace

std::unique_ptr<server_source> make_child_server(asio::any_io_executor executor, std::vector<std::string> command,
                                                 server_use use)
{
    return std::make_unique<child_server>(std::move(executor), std::move(command), std::move(use));
}

} // namespace gateway
