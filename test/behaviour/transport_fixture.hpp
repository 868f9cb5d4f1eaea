#pragma once

#include "methods.hpp"
#include "support/outcome.hpp"
#include "transport.hpp"

#include <boost/asio/io_context.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::test {

/// A client that talks to the server of a transport. Everything that is in this process happens in the calls of this
/// class, on the calling thread; every wait is bounded.
///
/// When it goes, it ends what is left, and expects that nothing is.
class transport_fixture {
public:
    explicit transport_fixture(const transport& way);
    ~transport_fixture();

    const transport& over;
    boost::asio::io_context context{1};
    /// What has happened in the client's own handlers.
    std::shared_ptr<event_counts> seen = std::make_shared<event_counts>();
    /// The client's.
    session_options options;

    /// Connects and runs it, with `options` as they are by then.
    session& client();
    void destroy_client() { client_.reset(); }
    const server_side& server() const { return *server_; }

    void run_until(const std::function<bool()>& done);
    /// Runs the client to its end.
    error_code wait_end();
    bool has_ended() const { return result_.has_value(); }

    /// Calls and waits: what `outcome::text` says.
    std::string ask(std::string method, call_params params = nullptr);
    /// Waits until something has happened in the server so many times.
    void wait_for(std::string what, int times);

private:
    void let_go();

    std::unique_ptr<server_side> server_;
    std::optional<session> client_;
    std::optional<error_code> result_;
};

} // namespace partyline::test
