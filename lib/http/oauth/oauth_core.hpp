#pragma once

#include "http/oauth/login_flow.hpp"
#include "http/oauth/token_rules.hpp"
#include "http/oauth/token_store.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/http/oauth_options.hpp>
#include <partyline/http/token_source.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace partyline::http {

/// The tokens for one server, and one *renewal* at a time that gets others, for which all requests wait that need one.
///
/// Thread safety: `known` and `stop` may be called from any thread. All else is done on `strand()`.
class oauth_core : public std::enable_shared_from_this<oauth_core> {
public:
    /// Throws `std::invalid_argument`, see `oauth_client`.
    oauth_core(const boost::asio::any_io_executor& executor, const std::string& server, oauth_options options);

    const std::string& server() const noexcept { return server_; }
    /// As `token_source::known`.
    std::optional<std::string> known();
    /// As `token_source::token`.
    boost::asio::awaitable<std::string> get(std::optional<challenge> after);
    /// Ends the renewal. Who waits gets operation_aborted, and so does whoever comes later.
    void stop();

    const boost::asio::any_io_executor& strand() const noexcept { return strand_; }

private:
    struct renewal;
    class waiting;

    void load();
    bool can_renew_alone() const;
    token_step step_for(const std::optional<challenge>& after, bool has_just_renewed);
    bool waits_for_refusal() const;
    void wait_for_refusal();
    std::shared_ptr<renewal> begin(std::optional<challenge> after);
    void end(const std::shared_ptr<renewal>& of, std::exception_ptr failed) noexcept;
    void abandon(const std::shared_ptr<renewal>& of) noexcept;
    boost::asio::awaitable<void> wait(std::shared_ptr<renewal> for_it);
    boost::asio::awaitable<void> renew(std::shared_ptr<renewal> of);
    boost::asio::awaitable<bool> refresh(std::shared_ptr<renewal> of, found_issuer by);
    bool take_refusal(const renewal& of, const oauth_error& refused, const found_issuer& by);
    boost::asio::awaitable<void> log_in(std::shared_ptr<renewal> of, found_issuer by, held_tokens before);
    bool is_issuer_of_tokens(const found_issuer& by) const;
    bool has_just_refreshed() const noexcept;
    boost::asio::awaitable<std::shared_ptr<void>> lock_kept() const;
    std::string name_of_tokens() const;
    held_tokens read_kept() const;
    bool is_used_up_by(const held_tokens& kept) const;
    bool take_kept(held_tokens kept, bool is_refused);
    void forget_scopes();
    void hold(held_tokens tokens);
    void keep();

    boost::asio::any_io_executor strand_;
    std::string server_;
    login_flow flow_;
    std::shared_ptr<renewal> renewal_; // that is under way
    login_limit logins_;
    std::optional<std::chrono::steady_clock::time_point> refreshed_; // after a refusal
    bool has_stopped_ = false;

    std::mutex mutex_; // of what follows, which changes on the strand
    bool is_loaded_ = false;
    std::optional<held_tokens::time_point> useless_; // a renewal without a refusal by the server, at this time
    held_tokens tokens_;
};

} // namespace partyline::http
