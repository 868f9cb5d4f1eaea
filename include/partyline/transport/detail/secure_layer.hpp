#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::detail {

/// The encryption of one socket: TLS, which `partyline::tls` implements, so that programs without it do not link TLS. A
/// layer reads from the socket and writes to it, and never waits: its user does that.
///
/// Thread safety: none.
class PARTYLINE_EXPORT secure_layer {
public:
    /// The event of the socket after which an operation that failed with `would_block` may be repeated.
    enum class need : std::uint8_t { read, write };

    virtual ~secure_layer() = default;

    /// Goes on with the handshake, which reading and writing do as well. No error: it is done.
    virtual error_code handshake() = 0;
    virtual bool is_established() const noexcept = 0;

    /// Reads at least one byte. Fails with `eof` where the peer has said that it is at its end, and with
    /// `errc::stream_truncated` where the connection has ended without that.
    virtual std::size_t read_some(boost::asio::mutable_buffer target, error_code& failed) = 0;
    /// Writes at least one byte of a source that is not empty. A write that has failed with `would_block` is repeated
    /// with a source that begins with the same bytes and is no shorter, wherever these are by then.
    virtual std::size_t write_some(boost::asio::const_buffer source, error_code& failed) = 0;
    virtual need read_needs() const noexcept = 0;
    virtual need write_needs() const noexcept = 0;
    /// Whether something has come already that a read would give, so that nobody waits for the socket.
    virtual bool has_pending() const noexcept = 0;

    /// Tells the peer that this is the end, as far as that goes without waiting.
    virtual void close_send() noexcept = 0;

    /// The subject of the peer's certificate, as far as that was verified, in RFC 2253's form; else empty.
    virtual std::string peer_subject() const { return {}; }
};

/// Makes those of the connections that a server accepts.
class PARTYLINE_EXPORT secure_layer_maker {
public:
    virtual ~secure_layer_maker() = default;
    /// `descriptor` is a connected socket that does not block, and outlives the layer; `first` is what has been read
    /// from it.
    virtual std::unique_ptr<secure_layer> accept(int descriptor, std::string_view first) = 0;
};

/// Makes that of a connection to a host, a name or an address, which the server's certificate is to be for.
/// `descriptor` is a connected socket that does not block, and outlives the layer.
using secure_connector = std::function<std::unique_ptr<secure_layer>(int descriptor, const std::string& host)>;

} // namespace partyline::detail
