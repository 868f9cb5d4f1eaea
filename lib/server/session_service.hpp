#pragma once

#include "server/connection_service.hpp"
#include "server/peer_authenticator.hpp"
#include "transport/session_renewals.hpp"

#include <partyline/config.hpp>
#include <partyline/server.hpp>
#include <partyline/session.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace partyline {

/// What is different for a peer that has connected, and that nobody has chosen: it does not take up room for long.
PARTYLINE_EXPORT void set_accepted_defaults(session_options& own);

/// Runs a session on each connection of a `server`.
class session_service final : public connection_service {
public:
    /// The sessions tell their end on `strand`.
    session_service(boost::asio::any_io_executor strand, served_methods methods, server_options options);

    std::unique_ptr<served_connection> serve(listener::connection accepted, connection_hooks hooks) override;
    void note_end(served_connection& gone, const error_code& why) override;
    void on_over() noexcept override;

private:
    boost::asio::any_io_executor strand_;
    served_methods methods_;
    server_options options_;
    peer_authenticator authenticator_;
    std::shared_ptr<session_renewals> renewals_; // null where nobody is authenticated
};

} // namespace partyline
