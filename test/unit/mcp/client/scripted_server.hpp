#pragma once

#include "begun.hpp"

#include <partyline/mcp/client.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// An MCP client, and the server that the test plays, line by line. Everything happens in the calls of this class.
class scripted_server {
public:
    scripted_server();
    ~scripted_server();

    boost::asio::io_context context{1};
    mcp::client_options options;
    std::vector<std::string> logged;

    /// Made when it is first asked for, with the options of then.
    mcp::client& client();
    void destroy_client() { client_.reset(); }

    void send(std::string_view line);
    void reply(std::string_view id, std::string_view result);
    void refuse(std::string_view id, std::string_view error);
    void tell(std::string_view method, std::string_view params);
    /// The server has gone.
    void end();
    /// The client has closed the connection.
    bool has_left() const { return is_closed_; }

    /// The next line that the client says.
    std::string receive();
    void expect(std::string_view line);
    /// The next line is a request, or notification, of this method with these params, but for `_meta`. Its id, as text.
    std::string expect_request(std::string_view method, std::string_view params);
    /// What was in `_meta` then.
    const boost::json::object& last_meta() const { return last_meta_; }
    void expect_cancel(std::string_view id);
    void expect_silence();

    void run_until(const std::function<bool()>& done);
    void settle();
    template <class T>
    begun<T>& wait(begun<T>& of)
    {
        run_until([&] { return of.has_ended(); });
        return of;
    }
    /// It fails by this, with these details if any are given.
    template <class T>
    void expect_failure(begun<T>& of, error_code how, std::string_view details = {})
    {
        wait(of);
        check_failure(of.failed(), of.details(), how, details);
    }

    /// Start the client as that of such a server; `capabilities` is what it says it has.
    void start_modern(std::string_view capabilities = "{}");
    void start_legacy(std::string_view capabilities = "{}", std::string_view revision = "2025-11-25");

private:
    static void check_failure(error_code failed, std::string_view found, error_code how, std::string_view details);
    void read();
    void write();

    std::optional<memory_stream> own_;
    std::optional<mcp::client> client_;
    std::array<char, 4096> chunk_{};
    std::string unread_;
    std::deque<std::string> lines_;
    std::string unsent_;
    std::string sending_;
    boost::json::object last_meta_;
    bool is_closed_ = false;
};

std::string discovered(std::string_view capabilities = "{}", std::string_view versions = R"(["2026-07-28"])");

} // namespace partyline::test
