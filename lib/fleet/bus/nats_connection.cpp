// The one file that knows libnats.

#include "fleet/bus/nats_connection.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include <nats/nats.h>

namespace partyline::fleet {
namespace {

template <auto Function>
struct freed_by {
    template <class T>
    void operator()(T* what) const noexcept
    {
        Function(what);
    }
};
using nats_options = std::unique_ptr<natsOptions, freed_by<natsOptions_Destroy>>;
using nats_message = std::unique_ptr<natsMsg, freed_by<natsMsg_Destroy>>;

constexpr std::int64_t connect_milliseconds = 2'000;
constexpr std::int64_t ping_milliseconds = 5'000;
constexpr std::int64_t write_milliseconds = 5'000;
constexpr std::int64_t flush_milliseconds = 1'000;
constexpr std::size_t max_unfreed = 64; // subscriptions that are freed together

std::string text_of(natsStatus status)
{
    natsStatus last = NATS_OK;
    const char* const details = nats_GetLastError(&last);
    std::string text = natsStatus_GetText(status);
    if (last == status && details && *details)
        text.append(": ").append(details);
    return text;
}

void require(natsStatus status, const std::string& what)
{
    if (status != NATS_OK)
        throw std::runtime_error(what + ": " + text_of(status));
}

// Without what may be a password in it.
std::string shown(const std::string& server)
{
    const std::size_t scheme = server.find("://");
    const std::size_t user = server.rfind('@');
    if (scheme == server.npos || user == server.npos)
        return server;
    return server.substr(0, scheme + 3) + server.substr(user + 1);
}

// Where something belongs to a connection's or a subscription's callbacks, these have a reference of their own, which
// goes when libnats says that none will come any more.
template <class T>
void* make_closure(const std::shared_ptr<T>& of)
{
    return new std::shared_ptr<T>(of);
}
template <class T>
std::shared_ptr<T>& closure_as(void* closure)
{
    return *static_cast<std::shared_ptr<T>*>(closure);
}
template <class T>
void free_closure(void* closure)
{
    delete static_cast<std::shared_ptr<T>*>(closure);
}

std::string why_closed(natsConnection* of)
{
    const char* text = nullptr;
    const natsStatus last = natsConnection_GetLastError(of, &text);
    std::string why = last == NATS_OK ? std::string("the server has closed it") : std::string(natsStatus_GetText(last));
    if (last != NATS_OK && text && *text)
        why.append(": ").append(text);
    return why;
}

// No exception may leave a callback of libnats.
void on_closed(natsConnection* of, void* closure)
{
    if (const auto& told = closure_as<nats_connection::user>(closure); told->on_lost) {
        std::string why;
        try {
            why = why_closed(of);
        } catch (const std::bad_alloc&) {
            why = "out of memory"; // short enough to need none
        }
        told->on_lost(std::move(why));
    }
    free_closure<nats_connection::user>(closure);
}

void on_error(natsConnection* of, natsSubscription*, natsStatus error, void* closure)
{
    try {
        const char* text = nullptr;
        natsConnection_GetLastError(of, &text);
        std::string what = natsStatus_GetText(error);
        if (text && *text)
            what.append(": ").append(text);
        if (const auto& told = closure_as<nats_connection::user>(closure); told->on_problem)
            told->on_problem(std::move(what));
    } catch (const std::bad_alloc&) { // it is not told
    }
}

// Of a message of the server alone; those have no payload.
int status_of(natsMsg* message)
{
    const char* text = nullptr;
    if (natsMsg_GetDataLength(message) != 0 || natsMsgHeader_Get(message, "Status", &text) != NATS_OK || !text)
        return 0;
    return std::max(std::atoi(text), 0);
}

std::string text_or_empty(const char* text)
{
    return text ? text : "";
}

void on_message(natsConnection*, natsSubscription*, natsMsg* message, void* closure)
{
    const nats_message owned(message);
    try {
        kept_message kept;
        kept.subject = text_or_empty(natsMsg_GetSubject(message));
        kept.reply_to = text_or_empty(natsMsg_GetReply(message));
        kept.status = status_of(message);
        kept.payload.assign(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
        closure_as<inbox>(closure)->put(std::move(kept));
    } catch (const std::bad_alloc&) { // as if it was lost
    }
}

void set_files(natsOptions* to, const bus_options& from)
{
    if (!from.credentials_file.empty())
        require(natsOptions_SetUserCredentialsFromFiles(to, from.credentials_file.c_str(), nullptr),
                from.credentials_file);
    if (!from.ca_file.empty())
        require(natsOptions_LoadCATrustedCertificates(to, from.ca_file.c_str()), from.ca_file);
    if (!from.certificate_file.empty())
        require(natsOptions_LoadCertificatesChain(to, from.certificate_file.c_str(), from.key_file.c_str()),
                from.certificate_file);
}

bool is_encrypted(const bus_options& options)
{
    return std::any_of(options.servers.begin(), options.servers.end(),
                       [](const std::string& one) { return one.starts_with("tls://"); });
}

// It does not connect again by itself: then the one who has it begins anew, with what is told and subscribed.
nats_options made_options(const std::string& server, const bus_options& from)
{
    natsOptions* made = nullptr;
    require(natsOptions_Create(&made), "NATS");
    nats_options owned(made);
    require(natsOptions_SetURL(made, server.c_str()), shown(server));
    require(natsOptions_SetName(made, from.name.c_str()), "the client's name");
    require(natsOptions_SetAllowReconnect(made, false), "NATS");
    require(natsOptions_SetTimeout(made, connect_milliseconds), "NATS");
    require(natsOptions_SetPingInterval(made, ping_milliseconds), "NATS");
    require(natsOptions_SetWriteDeadline(made, write_milliseconds), "NATS");
    require(natsOptions_SetSendAsap(made, true), "NATS");              // otherwise each message waits for a millisecond
    require(natsOptions_UseGlobalMessageDelivery(made, true), "NATS"); // not a thread for each subscription
    if (is_encrypted(from) || !from.ca_file.empty() || !from.certificate_file.empty())
        require(natsOptions_SetSecure(made, true), "TLS");
    set_files(made, from);
    return owned;
}

} // namespace

struct nats_connection::handle {
    handle() = default;
    handle(const handle&) = delete;
    handle& operator=(const handle&) = delete;
    ~handle() { natsConnection_Destroy(connection); }

    natsConnection* connection = nullptr;
};

struct nats_connection::subscription {
    subscription(std::string at, const inbox& receiver) : subject(std::move(at)), to(&receiver) {}
    subscription(const subscription&) = delete;
    subscription& operator=(const subscription&) = delete;
    ~subscription() { natsSubscription_Destroy(own); }

    std::string subject;
    const inbox* to;
    natsSubscription* own = nullptr;
};

void open_nats()
{
    static std::once_flag once; // as libnats is
    std::call_once(once, [] {
        sigset_t all;
        sigset_t former;
        struct sigaction pipe = {};
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &former);
        sigaction(SIGPIPE, nullptr, &pipe);
        const natsStatus status = nats_Open(-1);
        sigaction(SIGPIPE, &pipe, nullptr);
        pthread_sigmask(SIG_SETMASK, &former, nullptr);
        require(status, "libnats can't be opened");
    });
}

nats_connection::nats_connection(const std::string& server, const bus_options& options, user told)
    : told_(std::make_shared<user>(std::move(told))), connection_(std::make_unique<handle>())
{
    const nats_options own = made_options(server, options);
    void* const closure = make_closure(told_);
    natsOptions_SetErrorHandler(own.get(), on_error, closure);
    natsOptions_SetClosedCB(own.get(), on_closed, closure);
    const natsStatus status = natsConnection_Connect(&connection_->connection, own.get());
    if (status == NATS_OK)
        return;
    free_closure<user>(closure); // a connection that never stood calls nobody back
    throw std::runtime_error(shown(server) + ": " + text_of(status));
}

nats_connection::~nats_connection() = default;

void nats_connection::subscribe(const std::string& subject, const std::shared_ptr<inbox>& to)
{
    std::list<subscription> made;
    subscription& one = made.emplace_back(subject, *to);
    void* const closure = make_closure(to);
    const natsStatus status =
        natsConnection_Subscribe(&one.own, connection_->connection, subject.c_str(), on_message, closure);
    if (status != NATS_OK)
        free_closure<inbox>(closure);
    require(status, subject);
    // Where the connection is lost just now the closure stays: whether a callback runs is not known.
    natsSubscription_SetOnCompleteCB(one.own, free_closure<inbox>, closure);
    natsSubscription_SetPendingLimits(one.own, -1, -1); // inboxes have theirs
    subscriptions_.splice(subscriptions_.end(), made);
}

void nats_connection::unsubscribe(const std::string& subject, const inbox& from) noexcept
{
    const std::size_t before = ended_.size() / max_unfreed;
    for (auto next = subscriptions_.begin(); next != subscriptions_.end();) {
        const auto one = next++;
        if (one->to != &from || (!subject.empty() && one->subject != subject))
            continue;
        natsSubscription_Unsubscribe(one->own);
        ended_.splice(ended_.end(), subscriptions_, one);
    }
    if (ended_.size() / max_unfreed != before)
        free_ended();
}

// What has read the server's answer is done with all messages before it. Without an answer the next ones try again.
void nats_connection::free_ended() noexcept
{
    if (flush())
        ended_.clear();
}

bool nats_connection::publish(const publication& what) noexcept
{
    natsMsg* made = nullptr;
    const std::string_view text = what.text();
    if (natsMsg_Create(&made, what.subject.c_str(), what.reply_to.empty() ? nullptr : what.reply_to.c_str(),
                       text.data(), static_cast<int>(text.size())) != NATS_OK)
        return false;
    const nats_message owned(made);
    if (!what.message_id.empty() && natsMsgHeader_Set(made, "Nats-Msg-Id", what.message_id.c_str()) != NATS_OK)
        return false;
    if (what.is_create && natsMsgHeader_Set(made, "Nats-Expected-Last-Subject-Sequence", "0") != NATS_OK)
        return false;
    return natsConnection_PublishMsg(connection_->connection, made) == NATS_OK;
}

bool nats_connection::flush() noexcept
{
    return natsConnection_FlushTimeout(connection_->connection, flush_milliseconds) == NATS_OK;
}

std::size_t nats_connection::max_payload() const noexcept
{
    return static_cast<std::size_t>(std::max<std::int64_t>(natsConnection_GetMaxPayload(connection_->connection), 0));
}

} // namespace partyline::fleet
