#include "fleet/bus/bus_core.hpp"

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

namespace partyline::fleet {
namespace {

constexpr std::size_t max_unpublished = std::size_t(64) << 20;
constexpr std::chrono::seconds close_time{1};
constexpr back_off::rule pauses{std::chrono::milliseconds(50), 2, std::chrono::seconds(2), 0.5};

void check(const bus_options& options)
{
    if (options.servers.empty())
        throw std::invalid_argument("bus: no server");
    for (const std::string& one : options.servers) {
        if (!one.starts_with("nats://") && !one.starts_with("tls://"))
            throw std::invalid_argument("bus: a server is nats://host:port or tls://host:port");
    }
    if (options.certificate_file.empty() != options.key_file.empty())
        throw std::invalid_argument("bus: a certificate and its key belong together");
}

std::size_t published_bytes(const publication& one)
{
    return sizeof(publication) + one.subject.size() + one.reply_to.size() + one.text().size();
}

// They are for threads of the program.
void block_signals()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

} // namespace

bus_core::bus_core(bus_options options)
    : options_(std::move(options)),
      next_server_(static_cast<std::size_t>(random_part() * static_cast<double>(options_.servers.size()))),
      pause_(pauses)
{
    check(options_);
    open_nats();
}

void bus_core::start()
{
    has_ended_ = false;
    std::thread([self = shared_from_this()] { self->run(); }).detach();
}

void bus_core::close() noexcept
{
    std::unique_lock lock(mutex_);
    is_closing_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, close_time, [this] { return has_ended_; });
}

bool bus_core::is_connected() const noexcept
{
    const std::lock_guard lock(mutex_);
    return is_connected_;
}

bus_totals bus_core::counters() const noexcept
{
    const std::lock_guard lock(mutex_);
    return {is_connected_, connections_, dropped_};
}

void bus_core::add(command one)
{
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(one));
    changed_.notify_all();
}

void bus_core::attach(const std::shared_ptr<inbox>& to, std::vector<std::string> subjects)
{
    add(attached{to, std::move(subjects)});
}

void bus_core::detach(const std::shared_ptr<inbox>& from, std::string subject) noexcept
try {
    add(detached{from, std::move(subject)});
} catch (const std::bad_alloc&) { // it is told in vain
}

bool bus_core::publish(std::vector<publication>& all) noexcept
try {
    const std::lock_guard lock(mutex_);
    if (!is_connected_ || is_closing_)
        return false;
    for (publication& one : all) {
        const std::size_t bytes = published_bytes(one);
        if (bytes_ != 0 && bytes > max_unpublished - std::min(bytes_, max_unpublished)) {
            ++dropped_;
            continue;
        }
        commands_.push_back(std::move(one));
        bytes_ += bytes;
    }
    changed_.notify_all();
    return true;
} catch (const std::bad_alloc&) { // some may have been sent
    return true;
}

void bus_core::run() noexcept
{
    block_signals();
    bool goes_on = true;
    while (goes_on) {
        try {
            goes_on = step();
        } catch (const std::exception& e) {
            tell_lost(e.what());
        }
    }
    finish();
}

bool bus_core::step()
{
    if (!wait())
        return false;
    std::deque<command> commands;
    std::optional<std::string> why;
    {
        const std::lock_guard lock(mutex_);
        commands.swap(commands_);
        bytes_ = 0;
        why.swap(lost_);
    }
    if (why)
        lose(*why);
    for (command& one : commands)
        std::visit([this](auto& which) { carry_out(which); }, one);
    if (!connection_ && clock::now() >= connect_at_)
        connect();
    return true;
}

// False when it is to end.
bool bus_core::wait()
{
    std::unique_lock lock(mutex_);
    const auto has_work = [this] { return is_closing_ || lost_ || !commands_.empty(); };
    if (connection_)
        changed_.wait(lock, has_work);
    else
        changed_.wait_until(lock, connect_at_, has_work);
    return !is_closing_;
}

void bus_core::connect()
{
    connect_at_ = clock::now() + pause_.next(random_part());
    const std::string& server = options_.servers[next_server_];
    next_server_ = (next_server_ + 1) % options_.servers.size();
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        number = ++attempts_;
        lost_.reset();
    }
    nats_connection::user told;
    told.on_lost = [late = weak_from_this(), number](std::string why) {
        if (const auto self = late.lock())
            self->on_lost(number, std::move(why));
    };
    told.on_problem = [late = weak_from_this()](const std::string& what) {
        if (const auto self = late.lock())
            self->tell_problem(what);
    };
    auto made = std::make_unique<nats_connection>(server, options_, std::move(told));
    for (const attached& one : inboxes_)
        subscribe(*made, one);
    connection_ = std::move(made);
    {
        const std::lock_guard lock(mutex_);
        if (is_closing_)
            return;
        is_connected_ = !lost_;
        ++connections_;
    }
    pause_.reset();
    last_problem_.clear();
    for (const attached& one : inboxes_)
        one.to->put(bus_connected{connection_->max_payload()});
    tell_connected();
}

void bus_core::tell_connected()
{
    const std::lock_guard one_at_a_time(telling_);
    if (options_.on_connected)
        options_.on_connected();
}

void bus_core::subscribe(nats_connection& at, const attached& one)
{
    for (const std::string& subject : one.subjects)
        at.subscribe(subject, one.to);
}

void bus_core::lose(std::string_view why)
{
    {
        const std::lock_guard lock(mutex_);
        is_connected_ = false;
    }
    connection_.reset();
    for (const attached& one : inboxes_)
        one.to->put(bus_disconnected());
    tell_lost(std::string(why));
}

void bus_core::tell_lost(std::string why)
{
    if (why == last_problem_)
        return;
    last_problem_ = std::move(why);
    const std::lock_guard one_at_a_time(telling_);
    if (options_.on_disconnected && !is_closing())
        options_.on_disconnected(last_problem_);
}

// In a thread of libnats, which may go on for a moment when the connection has ended.
void bus_core::tell_problem(std::string_view what) noexcept
{
    const std::lock_guard one_at_a_time(telling_);
    if (options_.on_problem && !is_closing())
        options_.on_problem(what);
}

bool bus_core::is_closing() const noexcept
{
    const std::lock_guard lock(mutex_);
    return is_closing_;
}

void bus_core::finish() noexcept
{
    std::deque<command> last;
    {
        const std::lock_guard lock(mutex_);
        last.swap(commands_);
        is_connected_ = false;
    }
    if (connection_) {
        for (command& one : last) {
            if (auto* const said = std::get_if<publication>(&one))
                carry_out(*said);
        }
        connection_->flush();
        connection_.reset();
    }
    for (const attached& one : inboxes_)
        one.to->put(bus_disconnected());
    {
        const std::lock_guard what_is_told_now_comes_first(telling_);
    }
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
}

void bus_core::carry_out(publication& one)
{
    if (connection_)
        connection_->publish(one);
}

void bus_core::carry_out(attached& one)
{
    inboxes_.push_back(one);
    if (!connection_)
        return;
    try {
        subscribe(*connection_, one);
        one.to->put(bus_connected{connection_->max_payload()});
    } catch (const std::exception& e) { // it is lost
        lose(e.what());
    }
}

void bus_core::carry_out(detached& one)
{
    if (connection_)
        connection_->unsubscribe(one.subject, *one.from);
    for (attached& known : inboxes_) {
        if (known.to == one.from)
            std::erase(known.subjects, one.subject);
    }
    if (one.subject.empty())
        std::erase_if(inboxes_, [&](const attached& known) { return known.to == one.from; });
}

void bus_core::on_lost(std::uint64_t connection, std::string why) noexcept
{
    const std::lock_guard lock(mutex_);
    if (connection != attempts_)
        return;
    is_connected_ = false;
    lost_ = std::move(why);
    changed_.notify_all();
}

} // namespace partyline::fleet
