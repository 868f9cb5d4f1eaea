#include "access/jwt/issuer_keys.hpp"

#include "session/current_exception.hpp"

#include <partyline/session/log.hpp>

#include <utility>

namespace partyline::access {

issuer_keys::issuer_keys(document_request from, std::shared_ptr<const issuer_services> services)
    : from_(std::move(from)), services_(std::move(services))
{
}

std::shared_ptr<const key_set> issuer_keys::current(time_point now)
{
    std::optional<std::uint64_t> begun;
    std::shared_ptr<const key_set> keys;
    {
        const std::lock_guard lock(mutex_);
        if (services_->fetch && rules_.is_due(now))
            begun = rules_.begin(now);
        if (rules_.are_usable(now))
            keys = keys_;
    }
    if (begun)
        fetch(*begun, now);
    return keys;
}

// Who names an id that no key has may have caused a fetch a moment before the keys were exchanged. So what was issued
// since then waits for the next one: its clients are not told that it is invalid.
bool issuer_keys::may_come(time_point now, std::optional<time_point> issued)
{
    std::uint64_t begun = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!services_->fetch || !rules_.may_look(now))
            return rules_.is_behind() || (issued && rules_.are_older_than(*issued));
        rules_.on_look(now);
        begun = rules_.begin(now);
    }
    fetch(begun, now);
    return true;
}

// Without the lock: what is fetched may be there at once.
void issuer_keys::fetch(std::uint64_t number, time_point now) noexcept
try {
    services_->fetch(from_, [weak = weak_from_this(), number, now](const std::string& text, const std::string& why) {
        if (const auto self = weak.lock())
            self->on_document(number, now, text, why);
    });
} catch (...) { // it has not begun
    on_failure(number, now);
}

// Of whatever has been thrown.
void issuer_keys::on_failure(std::uint64_t number, time_point now) noexcept
try {
    take(number, now, {}, current_exception_text());
} catch (...) { // no memory for the reason
    const std::lock_guard lock(mutex_);
    rules_.end(number, false);
}

void issuer_keys::on_document(std::uint64_t number, time_point asked, const std::string& text,
                              std::string_view failure) noexcept
try {
    take(number, asked, text, failure);
} catch (...) {
    on_failure(number, asked);
}

void issuer_keys::take(std::uint64_t number, time_point asked, const std::string& text, std::string_view failure)
{
    const key_set_reading read = failure.empty() ? read_key_set(text) : key_set_reading{nullptr, failure};
    {
        const std::lock_guard lock(mutex_);
        if (!rules_.end(number, read.keys != nullptr))
            return;
        if (read.keys)
            keys_ = read.keys;
    }
    if (!read.keys)
        log_failure(asked, read.problem);
}

// Once in the time after which keys are fetched anyhow: retries may fail every second.
void issuer_keys::log_failure(time_point now, std::string_view failure)
{
    {
        const std::lock_guard lock(mutex_);
        if (logged_ && now >= *logged_ && now - *logged_ < fetch_rules::lifetime)
            return;
        logged_ = now;
    }
    if (services_->log)
        write_log(services_->log, "access: no keys from " + from_.url + ": " + std::string(failure));
}

} // namespace partyline::access
