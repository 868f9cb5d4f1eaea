#pragma once

#include "tls/context/server_state.hpp"
#include "tls/engine/layer.hpp"

#include <partyline/tls/server_options.hpp>
#include <partyline/transport/detail/secure_layer.hpp>

#include <memory>
#include <mutex>
#include <string_view>

namespace partyline::tls {

/// What the copies of a `server_context` share.
/// Thread safety: safe.
class server_context_core final : public detail::secure_layer_maker {
public:
    explicit server_context_core(server_options options);

    const server_options& options() const noexcept { return options_; }
    void reload();
    void rotate_tickets() noexcept { tickets_->rotate(ticket_keys::clock::now()); }
    std::shared_ptr<const server_state> state() const;

    std::unique_ptr<layer> make_layer(int descriptor, std::string_view first) const;
    std::unique_ptr<detail::secure_layer> accept(int descriptor, std::string_view first) override;

private:
    const server_options options_;
    const std::shared_ptr<ticket_keys> tickets_; // of all states, so that a ticket outlives a reload
    mutable std::mutex mutex_;
    std::shared_ptr<const server_state> state_;
};

} // namespace partyline::tls
