#pragma once

#include "gateway/http_call.hpp"

#include <partyline/protocol/json_text.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <optional>
#include <string>

namespace gateway {

/// The session that a host has with a server over HTTP in the handshake's era, and how it is begun again when the
/// server has lost it: the host need not know.
///
/// Thread safety: everything on one executor.
class remote_session {
public:
    /// Its id; empty: there is none.
    const std::string& id() const noexcept { return id_; }
    bool is_initialized() const noexcept { return is_initialized_; }
    /// The fields that go with every message.
    field_list fields() const;

    /// The host begins one with these params.
    void begin(partyline::json_text params);
    /// It was answered so.
    void note_begun(std::string id, const partyline::json_text& result);
    /// The host has said that it is.
    void note_initialized() noexcept { is_initialized_ = true; }
    /// Begins it again, where the one with the id `lost` is still ours: once, however many find that out. Throws
    /// `system_error`, and `rpc_error` where the server begins no other one.
    boost::asio::awaitable<void> renew(remote_link& over, boost::asio::any_io_executor executor, std::string lost);

private:
    boost::asio::awaitable<void> greet(remote_link& over);

    std::string id_;
    std::string revision_; // that the server has chosen
    partyline::json_text greeting_;
    std::optional<boost::asio::steady_timer> renewal_; // while it is begun again; who waits for that
    bool is_initialized_ = false;
};

} // namespace gateway
