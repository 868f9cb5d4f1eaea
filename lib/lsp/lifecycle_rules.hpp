#pragma once

#include <partyline/lsp/client_info.hpp>
#include <partyline/session/lifecycle.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace partyline::lsp {

/// The lifecycle of LSP 3.17: nothing before `initialize`, nothing but `exit` after `shutdown`.
class lifecycle_rules final : public lifecycle {
public:
    ruling on_request(const message& m, message_reader& reader) override;
    ruling on_notification(const message& m, message_reader& reader) override;
    void on_answered(const answer_given& answer) override;

    const std::shared_ptr<client_info>& known() const noexcept { return client_; }

private:
    enum class stage : std::uint8_t { created, initializing, running, shut_down };

    ruling initialize(json_view params, message_reader& reader);
    ruling set_trace(json_view params, message_reader& reader);

    const std::shared_ptr<client_info> client_ = std::make_shared<client_info>();
    stage stage_ = stage::created;
};

} // namespace partyline::lsp
