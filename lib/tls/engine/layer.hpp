#pragma once

#include "tls/engine/openssl.hpp"
#include "tls/engine/wire.hpp"

#include <partyline/transport/detail/secure_layer.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::tls {

/// TLS over one socket, by OpenSSL's own calls that never wait. Between records OpenSSL keeps no buffers.
/// Thread safety: none.
class layer final : public detail::secure_layer {
public:
    /// `ssl` knows what it is, server or client, and has no BIO yet. `kept` is what its callbacks refer to.
    layer(ssl_pointer ssl, int descriptor, std::string_view first, std::shared_ptr<const void> kept);

    error_code handshake() override;
    bool is_established() const noexcept override { return is_established_; }
    std::size_t read_some(boost::asio::mutable_buffer target, error_code& failed) override;
    std::size_t write_some(boost::asio::const_buffer source, error_code& failed) override;
    need read_needs() const noexcept override { return read_needs_; }
    need write_needs() const noexcept override { return write_needs_; }
    bool has_pending() const noexcept override;
    void close_send() noexcept override;
    std::string peer_subject() const override;

    SSL* native_handle() const noexcept { return ssl_.get(); }

private:
    error_code why_failed(int result, need& needs) noexcept;
    error_code fatal_failure() noexcept;
    std::size_t read_records(boost::asio::mutable_buffer target, error_code& failed) noexcept;
    void bound_records(std::size_t data, error_code& failed) noexcept;
    std::size_t read_record(boost::asio::mutable_buffer target, error_code& failed) noexcept;
    std::size_t write_record(boost::asio::const_buffer source, error_code& failed) noexcept;

    std::shared_ptr<const void> kept_; // outlives ssl_
    wire wire_;                        // so does this
    ssl_pointer ssl_;
    error_code fatal_;             // OpenSSL must not be called again
    error_code end_;               // what a read has failed with, and so do all that follow
    std::size_t without_data_ = 0; // bytes of records that have come since the last data
    need read_needs_ = need::read;
    need write_needs_ = need::write;
    bool is_established_ = false;
    bool must_yield_ = false; // whoever reads in a loop leaves it
    bool is_drained_ = false; // of what OpenSSL has read, the rest is no whole record
};

} // namespace partyline::tls
