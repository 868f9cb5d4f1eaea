#pragma once

#include "access/jwt/fetch_rules.hpp"
#include "access/jwt/key_set.hpp"
#include "access/jwt/signature_quota.hpp"

#include <partyline/transport/document_fetcher.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::access {

/// What the issuers of a gate share, over all readings of its file. Set before the first token comes.
struct issuer_services {
    /// Fetches keys. Empty: tokens of issuers whose keys would have to be fetched are `unavailable`.
    document_fetcher fetch = {};
    /// Told, in one line, why keys can't be fetched. Empty: nobody is.
    std::function<void(std::string_view)> log = {};
    signature_quota* signatures = &signature_quota::of_process();
};

/// The keys of an issuer, fetched when they are needed: first at once, then every 10 minutes, where a token names a key
/// that is not known (every 30 s at most), and after a failure with growing delays. They serve for 24 h after the last
/// success. Nobody waits: a fetch ends on any thread and changes what the next token finds.
///
/// Thread safety: all members may be called from any thread, at the same time.
class issuer_keys : public std::enable_shared_from_this<issuer_keys> {
public:
    using time_point = std::chrono::system_clock::time_point;

    issuer_keys(document_request from, std::shared_ptr<const issuer_services> services);

    const document_request& from() const noexcept { return from_; }

    /// Returns the keys that serve now; null where there are none. Begins a fetch where it is time for one.
    std::shared_ptr<const key_set> current(time_point now);
    /// To be asked where the key of a token is not among them: whether it may be soon. Begins a fetch where that may
    /// be. `issued`: when the token says that it was.
    bool may_come(time_point now, std::optional<time_point> issued);

private:
    void fetch(std::uint64_t number, time_point now) noexcept;
    void on_document(std::uint64_t number, time_point asked, const std::string& text,
                     std::string_view failure) noexcept;
    void on_failure(std::uint64_t number, time_point now) noexcept;
    void take(std::uint64_t number, time_point asked, const std::string& text, std::string_view failure);
    void log_failure(time_point now, std::string_view failure);

    const document_request from_;
    const std::shared_ptr<const issuer_services> services_;
    std::mutex mutex_; // of what follows
    fetch_rules rules_;
    std::shared_ptr<const key_set> keys_;
    std::optional<time_point> logged_;
};

} // namespace partyline::access
