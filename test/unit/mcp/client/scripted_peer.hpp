#pragma once

#include "begun.hpp"

#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::test {

/// Runs it until this has happened; a test that waits for too long fails.
void run_until(boost::asio::io_context& context, const std::function<bool()>& done);
/// Runs what can run now.
void settle(boost::asio::io_context& context);

/// A server of MCP that the test plays, line by line. Everything happens in the calls of this class.
class scripted_peer {
public:
    explicit scripted_peer(boost::asio::io_context& context) : context_(context) {}
    scripted_peer(const scripted_peer&) = delete;
    scripted_peer& operator=(const scripted_peer&) = delete;
    virtual ~scripted_peer();

    /// The end of the client.
    memory_stream connect();

    void send(std::string_view line);
    void reply(std::string_view id, std::string_view result);
    void refuse(std::string_view id, std::string_view error);
    void tell(std::string_view method, std::string_view params);
    /// The server has gone.
    void end();
    /// It says nothing more, and still reads.
    void end_output() { own_->close_send(); }
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

    /// The handshake of a client that is starting; `capabilities` is what the server says it has.
    void greet_modern(std::string_view capabilities = "{}");
    void greet_legacy(std::string_view capabilities = "{}", std::string_view revision = "2025-11-25");

    void run_until(const std::function<bool()>& done) { test::run_until(context_, done); }
    void settle() { test::settle(context_); }
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

protected:
    /// Lets go of its end of the stream, and of what is under way there.
    void hang_up();

private:
    /// Something is to be said or heard.
    virtual void prepare() {}
    static void check_failure(error_code failed, std::string_view found, error_code how, std::string_view details);
    void read();
    void write();

    boost::asio::io_context& context_;
    std::optional<memory_stream> own_;
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
