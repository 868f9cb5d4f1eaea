#include "command_line/token_store.hpp"

#include "command_line/line_log.hpp"
#include "command_line/token_folder.hpp"

#include <partyline/protocol/exception_text.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace asio = boost::asio;

namespace command_line {
namespace {

using namespace std::chrono_literals;

constexpr auto lock_pause = 20ms;
constexpr auto lock_time = 5s;
constexpr auto last_lock_time = 1s;

class token_store : public std::enable_shared_from_this<token_store> {
public:
    token_store(asio::any_io_executor executor, std::string folder, std::chrono::milliseconds refresh_time)
        : folder_(std::move(folder)), retry_(executor), refresh_time_(refresh_time)
    {
    }
    token_store(const token_store&) = delete;
    token_store& operator=(const token_store&) = delete;
    ~token_store()
    {
        const auto until = clock::now() + last_lock_time;
        while (!waiting_.empty() && !try_write(until))
            std::this_thread::sleep_for(lock_pause); // the program ends
    }

    std::string load(const std::string& name) const
    {
        const auto unsaved = waiting_.find(name);
        if (unsaved != waiting_.end())
            return unsaved->second;
        return folder_.read(name);
    }

    // Polled, since only a thread could wait for it.
    static asio::awaitable<std::shared_ptr<void>> lock_refresh(std::shared_ptr<token_store> in, std::string name)
    {
        asio::steady_timer timer(co_await asio::this_coro::executor);
        const auto until = clock::now() + in->refresh_time_;
        std::optional<refresh_lock> lock = in->try_lock_refresh(name);
        while (lock && !*lock && clock::now() < until) {
            timer.expires_after(lock_pause);
            co_await timer.async_wait(asio::use_awaitable);
            lock = in->try_lock_refresh(name);
        }
        co_return lock.value_or(nullptr);
    }

    // Where nobody else has the lock, a failure is the caller's.
    void save(const std::string& name, const std::string& text)
    {
        const bool is_retrying = !waiting_.empty();
        waiting_[name] = text;
        hold_until_written(name);
        if (is_retrying)
            return;
        try {
            if (!write())
                write_later(clock::now() + lock_time);
        } catch (...) {
            forget_waiting();
            throw;
        }
    }

private:
    using clock = std::chrono::steady_clock;
    using refresh_lock = std::shared_ptr<void>;

    // Null: somebody else has it. Nothing where it can't be had at all, as in a folder that is not to be written to:
    // what is wrong with that is told by `save`.
    std::optional<refresh_lock> try_lock_refresh(const std::string& name)
    {
        try {
            owned_descriptor lock = folder_.try_lock_refresh(name);
            if (!lock.is_open())
                return refresh_lock();
            auto held = std::make_shared<owned_descriptor>(std::move(lock));
            held_[name] = held;
            return held;
        } catch (const std::runtime_error&) {
            return std::nullopt;
        }
    }

    // Others would find the tokens of before.
    void hold_until_written(const std::string& name)
    {
        const auto found = held_.find(name);
        if (found != held_.end())
            waiting_locks_[name] = found->second.lock();
    }

    void forget_waiting() noexcept
    {
        waiting_.clear();
        waiting_locks_.clear();
    }

    bool write()
    {
        const owned_descriptor lock = folder_.try_lock();
        if (!lock.is_open())
            return false;
        folder_.change(waiting_);
        forget_waiting();
        return true;
    }

    // Whether there is no more to be done: a failure is told.
    bool try_write(clock::time_point until) noexcept
    {
        try {
            if (write())
                return true;
            if (clock::now() < until)
                return false;
            say("partyline: tokens are not saved: another process has locked their file");
        } catch (const std::exception& e) {
            say("partyline: tokens are not saved: " + partyline::exception_text(e));
        }
        forget_waiting();
        return true;
    }

    void write_later(clock::time_point until)
    {
        retry_.expires_after(lock_pause);
        retry_.async_wait([late = weak_from_this(), until](boost::system::error_code stopped) {
            const auto self = late.lock();
            if (!stopped && self && !self->try_write(until))
                self->write_later(until);
        });
    }

    const token_folder folder_;
    asio::steady_timer retry_;
    const std::chrono::milliseconds refresh_time_;
    std::map<std::string, std::string> waiting_; // not yet saved
    std::map<std::string, refresh_lock> waiting_locks_;
    std::map<std::string, std::weak_ptr<void>> held_; // for whom we refresh
};

} // namespace

std::string state_folder()
{
    const char* const named = std::getenv("XDG_STATE_HOME");
    if (named && *named == '/') // others are to be ignored
        return named;
    const char* const home = std::getenv("HOME");
    if (!home || *home != '/')
        throw std::runtime_error("neither XDG_STATE_HOME nor HOME says where the tokens of logins are to be kept");
    return std::string(home) + "/.local/state";
}

partyline::http::oauth_store make_token_store(asio::any_io_executor executor, std::string folder,
                                              std::chrono::milliseconds refresh_time)
{
    const auto kept = std::make_shared<token_store>(std::move(executor), std::move(folder), refresh_time);
    partyline::http::oauth_store store;
    store.load = [kept](const std::string& name) { return kept->load(name); };
    store.lock = [kept](std::string name) { return token_store::lock_refresh(kept, std::move(name)); };
    store.save = [kept](const std::string& name, const std::string& text) { kept->save(name, text); };
    return store;
}

} // namespace command_line
