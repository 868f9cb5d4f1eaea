#pragma once

#include "http/opening/first_bytes.hpp"
#include "http/serve/connection_stages.hpp"
#include "http/serve/http_service.hpp"
#include "http/serve/opened_connection.hpp"
#include "http/serve/origin_queue.hpp"
#include "http/serve/timed_connections.hpp"
#include "http/serve/working_set.hpp"
#include "server/connection_service.hpp"
#include "transport/socket/listener.hpp"
#include "transport/socket/socket_channel.hpp"

#include <partyline/http/server_options.hpp>
#include <partyline/protocol/framing.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace partyline::http {

/// The start of a connection, before its protocol is known: a PROXY protocol head, a TLS handshake, and the first
/// bytes. These select the next stage, HTTP or a session; a connection with other bytes is closed, or answered by HTTP.
///
/// Flow: waits without a buffer until there is something to read, and reads until the next stage is known.
/// Thread safety: none, everything on the server's executor.
class opening_stage final : public std::enable_shared_from_this<opening_stage>,
                            public timed_connection,
                            public origin_queue::member { // of the handshakes
public:
    opening_stage(std::shared_ptr<http_service> core, listener::connection accepted);

    /// The first stage of `of`. Nobody is told if this throws.
    void start(connection_stages& of, connection_hooks hooks);
    /// Ends by its time limit, or as the next stage does.
    void close_in_order() override {}
    void stop_at_once() noexcept override;
    bool has_waited_too_long(clock::time_point now) const noexcept override;

private:
    /// fresh: it is not known yet what is spoken; handshaking: it is TLS.
    enum class phase : std::uint8_t { fresh, handshaking, closed };

    void enter(phase next) noexcept;
    void wait_readable();
    void on_readable() noexcept;
    void read();
    void open();
    bool take_proxy();
    bool count_client();
    void open_by(opening what);
    void begin_tls();
    void bound_handshakes() noexcept;
    void note_handshake(const error_code& failed);
    bool lacks_tls() const noexcept;
    void open_http();
    void open_session(framing_kind kind, bool is_accepted);
    void refuse();
    void refuse(std::string_view text);
    void hand_on_to_http(std::optional<response> refusal);

    const std::shared_ptr<http_service> core_;
    socket_channel channel_;
    connected_peer peer_;
    const accepted_protocols accepted_;
    stage_exit exit_;
    decltype(connection_hooks::on_client) on_client_; // empty: the peer is no proxy, or has said for whom it asks
    borrowed_set work_;
    clock::time_point since_; // this phase began
    phase at_ = phase::fresh;
};

} // namespace partyline::http
