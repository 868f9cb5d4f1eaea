#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/tls/client_context.hpp>
#include <partyline/tls/server_context.hpp>
#include <partyline/transport/detail/first_buffer.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

struct ssl_st; // OpenSSL's SSL

namespace partyline::tls {

class stream_core;

/// A connection over TLS: a connected socket and its encryption. An Asio stream, which a `session` takes as its own;
/// `async_accept` and `async_connect` make it, after the handshake. While no operation reads or writes, the stream
/// holds no buffers.
///
/// Movable. Destroying it closes the socket without notifying the peer: `shutdown` first.
/// Thread safety: as any Asio stream, used from one thread at a time.
class PARTYLINE_EXPORT stream {
public:
    /// The type of the executor, as Asio requires it of a stream.
    using executor_type = boost::asio::any_io_executor;
    /// The socket, of TCP or a Unix one.
    using lowest_layer_type = boost::asio::generic::stream_protocol::socket;
    /// The protocol of the socket.
    using protocol_type = lowest_layer_type::protocol_type;
    /// The events that `async_wait` waits for.
    using wait_type = lowest_layer_type::wait_type;
    /// The argument of `shutdown`.
    using shutdown_type = lowest_layer_type::shutdown_type;
    /// Waits until there is something to be read.
    static constexpr wait_type wait_read = lowest_layer_type::wait_read;
    /// Waits until there is room to write.
    static constexpr wait_type wait_write = lowest_layer_type::wait_write;
    /// Waits until the socket has an error.
    static constexpr wait_type wait_error = lowest_layer_type::wait_error;
    /// The direction that `shutdown` ends, whatever its argument.
    static constexpr shutdown_type shutdown_send = lowest_layer_type::shutdown_send;

    /// A stream without a connection: all operations fail with `bad_descriptor`.
    explicit stream(executor_type executor);
    /// For the library's own.
    explicit stream(std::shared_ptr<stream_core> core) noexcept : core_(std::move(core)) {}
    stream(stream&&) noexcept = default;
    stream& operator=(stream&& other) noexcept;
    ~stream();

    /// The executor on which operations complete, unless their handlers have another one.
    executor_type get_executor() const noexcept;
    /// Whether it has a socket.
    bool is_open() const noexcept;
    /// The socket, to ask it and to set its options; to read from it or to write to it directly breaks the connection.
    lowest_layer_type& lowest_layer() noexcept;
    /// The socket, to ask it.
    const lowest_layer_type& lowest_layer() const noexcept;

    /// The subject of the peer's certificate, as far as that was asked for and verified, in RFC 2253's form
    /// ("CN=alice,O=Example"); else empty.
    std::string peer_subject() const;
    /// The protocol that both have agreed on by ALPN; empty when there is none.
    std::string alpn() const;
    /// OpenSSL's object, to ask it (`SSL_get_version`, `SSL_session_reused`); null when the stream is closed.
    ssl_st* native_handle() const noexcept;

    /// Does nothing: the stream never blocks.
    void non_blocking(bool, error_code& failed) noexcept { failed = {}; }

    /// Reads the bytes that are there; fails with `would_block` where there is nothing.
    std::size_t read_some(boost::asio::mutable_buffer target, error_code& failed);
    /// Writes the bytes that there is room for; fails with `would_block` where there is no room. That write has to be
    /// repeated with a buffer that begins with the same bytes and is no shorter.
    template <class Buffers>
    std::size_t write_some(const Buffers& buffers, error_code& failed)
    {
        return try_write(detail::first_buffer<boost::asio::const_buffer>(buffers), failed);
    }

    /// Reads the bytes that are there, at least one.
    ///
    /// Completes with   void(error_code, std::size_t)
    /// Fails with       eof: the peer has said that it sends no more; errc::stream_truncated: the connection has ended
    ///                  without that, and the last bytes may have been cut off; connection_reset; operation_aborted; a
    ///                  code of `tls::openssl_category()`: the peer breaks the protocol, or tells by an alert why it
    ///                  ends; errc::no_data: the peer has sent 32 KiB in a row that are no data
    /// Cancellation     terminal, partial, total: nothing has been read
    /// Lifetime         the buffers stay valid until completion; of several only the first that is not empty is used
    template <class Buffers,
              boost::asio::completion_token_for<void(error_code, std::size_t)> Token = boost::asio::deferred_t>
    auto async_read_some(const Buffers& buffers, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
            [](auto handler, std::shared_ptr<stream_core> core, boost::asio::mutable_buffer target) {
                start_read(std::move(core), target, std::move(handler));
            },
            token, core_, detail::first_buffer<boost::asio::mutable_buffer>(buffers));
    }

    /// Writes the bytes that there is room for, at least one.
    ///
    /// Completes with   void(error_code, std::size_t)
    /// Fails with       broken_pipe, connection_reset; operation_aborted; a code of `tls::openssl_category()`
    /// Cancellation     terminal: part of it may have been sent, so the stream takes only the same bytes from then on
    /// Lifetime         the buffers stay valid until completion; of several only the first that is not empty is used
    template <class Buffers,
              boost::asio::completion_token_for<void(error_code, std::size_t)> Token = boost::asio::deferred_t>
    auto async_write_some(const Buffers& buffers, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
            [](auto handler, std::shared_ptr<stream_core> core, boost::asio::const_buffer source) {
                start_write(std::move(core), source, std::move(handler));
            },
            token, core_, detail::first_buffer<boost::asio::const_buffer>(buffers));
    }

    /// Waits until it is worth while to read, or to write, by `read_some` and `write_some`: no buffer is needed
    /// meanwhile. `wait_error` waits for an error of the socket itself.
    ///
    /// Completes with   void(error_code)
    /// Fails with       operation_aborted
    /// Cancellation     terminal, partial, total: waits no longer
    template <boost::asio::completion_token_for<void(error_code)> Token = boost::asio::deferred_t>
    auto async_wait(wait_type what, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code)>(
            [](auto handler, std::shared_ptr<stream_core> core, wait_type until) {
                start_wait(std::move(core), until, std::move(handler));
            },
            token, core_, what);
    }

    /// Ends sending, and notifies the peer, whatever the argument is: only sending can be ended. Reading goes on. Where
    /// the socket has no room for that message at the moment, the peer sees the connection end without it.
    void shutdown(shutdown_type, error_code& failed);

    /// Closes the socket. Operations under way end with `operation_aborted`.
    void close(error_code& failed);
    /// Closes the socket; errors are ignored.
    void close();

private:
    using transfer_handler = boost::asio::any_completion_handler<void(error_code, std::size_t)>;
    using wait_handler = boost::asio::any_completion_handler<void(error_code)>;

    static void start_read(std::shared_ptr<stream_core> core, boost::asio::mutable_buffer target,
                           transfer_handler done);
    static void start_write(std::shared_ptr<stream_core> core, boost::asio::const_buffer source, transfer_handler done);
    static void start_wait(std::shared_ptr<stream_core> core, wait_type what, wait_handler done);
    std::size_t try_write(boost::asio::const_buffer source, error_code& failed);

    std::shared_ptr<stream_core> core_;
};

} // namespace partyline::tls
