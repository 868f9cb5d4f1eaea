#pragma once

#include "async/keep_running.hpp"
#include "http/serve/endpoint.hpp"
#include "http/serve/post_exchange.hpp"
#include "session/conversation.hpp"

#include <memory>

namespace partyline::http {

class http_service;

/// The conversation that the requests of one peer over one connection are served by, one after the other: of clients
/// that have no session.
///
/// Ownership: the connection's, until it lets go; then the context's, until its handlers have ended.
class kept_conversation final : public connection_state,
                                private conversation::host,
                                public std::enable_shared_from_this<kept_conversation> {
public:
    /// `grant` is that of the peer; null: nobody was asked.
    kept_conversation(std::shared_ptr<http_service> of, std::shared_ptr<const dispatcher> methods,
                      session_options options, std::shared_ptr<const access_grant> grant);
    ~kept_conversation() override;

    /// Whether it can serve one more request.
    bool is_usable() const noexcept { return post_.out() && !post_.has_ended(); }
    /// Whether it is that of this peer, with these rights.
    bool is_of(const std::shared_ptr<const access_grant>& grant) const noexcept { return grant_ == grant; }
    /// Has a message served.
    endpoint::answer serve(request&& asked, status_rule by, reply_sink& line);

    // connection_state
    void let_go() noexcept override;

private:
    // conversation::host
    void flush() override;
    void resume_reading() override {}
    void on_end(error_code result) noexcept override;

    const std::shared_ptr<http_service> core_;
    const std::shared_ptr<const access_grant> grant_;
    const std::shared_ptr<conversation> conversation_;
    post_exchange post_;
    keep_running life_; // keeps it while handlers are to end that nobody waits for
};

} // namespace partyline::http
