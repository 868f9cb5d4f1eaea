#include "http/serve/opening_stage.hpp"

#include "http/opening/proxy_head.hpp"
#include "http/serve/connection.hpp"
#include "transport/socket/address_count.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <exception>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

opening_stage::opening_stage(std::shared_ptr<http_service> core, listener::connection accepted)
    : core_(std::move(core)), channel_(std::move(accepted.stream)),
      peer_{std::move(accepted.peer), reach_of(channel_.lowest_layer(), peer_.identity)},
      accepted_(core_->accepted(accepted.listener_number)), work_(core_->working()), since_(core_->note_time())
{
}

void opening_stage::start(connection_stages& of, connection_hooks hooks)
{
    wait_readable();
    exit_ = stage_exit(of, std::move(hooks.on_end));
    on_client_ = std::move(hooks.on_client);
    core_->connections().place(*this, timed_connections::state::waits_for_first_bytes);
}

void opening_stage::enter(phase next) noexcept
{
    using state = timed_connections::state;
    at_ = next;
    since_ = core_->now();
    if (next != phase::handshaking)
        core_->handshakes().remove(*this);
    switch (next) {
    case phase::fresh: return core_->connections().place(*this, state::waits_for_first_bytes);
    case phase::handshaking: return core_->connections().place(*this, state::waits_for_handshake);
    case phase::closed: return core_->connections().remove(*this);
    }
}

bool opening_stage::has_waited_too_long(clock::time_point now) const noexcept
{
    const time_limits& most = core_->options().times;
    if (at_ == phase::handshaking)
        return now - since_ > most.handshake;
    return core_->has_drained(since_, now) || now - since_ > most.first_bytes;
}

void opening_stage::stop_at_once() noexcept
{
    if (at_ == phase::closed)
        return;
    const std::shared_ptr<opening_stage> hold = shared_from_this();
    enter(phase::closed);
    error_code ignored;
    channel_.close(ignored);
    work_.give_back();
    exit_.end(*core_);
}

void opening_stage::wait_readable()
{
    channel_.async_wait(socket_channel::wait_read, [self = shared_from_this()](error_code) {
        self->core_->note_time();
        if (self->at_ != phase::closed)
            self->on_readable();
    });
}

// Whatever goes wrong here ends this connection, and no other one.
void opening_stage::on_readable() noexcept
{
    try {
        read();
    } catch (...) {
        core_->note_failure(std::current_exception());
        stop_at_once();
    }
}

void opening_stage::read()
{
    error_code failed;
    const std::size_t count = read_some(channel_, work_.take(), failed);
    if (at_ == phase::handshaking)
        note_handshake(failed);
    if (failed == errc::no_data)
        core_->note_tls_failed("a TLS connection", peer_.identity, failed);
    if (failed && failed != asio::error::would_block)
        return stop_at_once();
    if (count != 0)
        return open();
    if (work_->untaken().empty())
        work_.give_back(); // there was nothing
    wait_readable();
}

void opening_stage::open()
{
    if (accepted_.proxy_protocol && on_client_ && !take_proxy())
        return;
    if (!work_->untaken().empty())
        return open_by(opening_of(work_->untaken()));
    work_.give_back();
    wait_readable();
}

// False: more has to come first, or it is over.
bool opening_stage::take_proxy()
{
    const proxy_head found = read_proxy_head(work_->untaken());
    if (found.read == proxy_head::state::refused) { // whoever it is, no answer is for them
        core_->note_refused(peer_.identity);
        stop_at_once();
        return false;
    }
    if (found.read == proxy_head::state::more) {
        wait_readable();
        return false;
    }
    work_->taken += found.size;
    work_->forget_taken();
    if (found.client)
        peer_.identity.address = found.client;
    peer_.by = reach::network; // whatever it says: the proxy is near, and not who asks by it
    peer_.identity.local.reset();
    return count_client();
}

// False: too many have come from there, and this one is closed as one that comes without a proxy is.
bool opening_stage::count_client()
{
    const auto count = std::exchange(on_client_, nullptr);
    if (count(peer_.identity.address))
        return true;
    stop_at_once();
    return false;
}

void opening_stage::open_by(opening what)
{
    switch (what) {
    case opening::undecided: return wait_readable();
    case opening::tls: return begin_tls();
    case opening::http: return open_http();
    case opening::lines: return open_session(framing_kind::lines, accepted_.lines);
    case opening::content_length: return open_session(framing_kind::content_length, accepted_.content_length);
    case opening::proxy:
    case opening::unknown: return refuse();
    }
}

void opening_stage::begin_tls()
{
    if (accepted_.tls == encryption::none || channel_.layer())
        return refuse("TLS is not spoken here: ask by http or ws");
    channel_.encrypt(core_->options().tls->accept(channel_.lowest_layer().native_handle(), work_->untaken()));
    work_->taken = work_->in.size();
    work_->forget_taken();
    core_->handshakes().add(*this, origin_of(address_of(peer_.identity)).to_string());
    enter(phase::handshaking);
    bound_handshakes();
    if (at_ != phase::closed)
        read(); // it may all be there
}

// Where there are too many, it is always one of the origin that has most which is stopped: the one that has taken
// longest.
void opening_stage::bound_handshakes() noexcept
{
    origin_queue& all = core_->handshakes();
    while (all.size() > core_->options().max_handshakes)
        static_cast<opening_stage&>(all.next_to_leave()).stop_at_once();
}

// Of a read that has gone on with it.
void opening_stage::note_handshake(const error_code& failed)
{
    if (channel_.layer()->is_established()) {
        peer_.identity.principal = channel_.layer()->peer_subject();
        if (!peer_.identity.principal.empty())
            peer_.identity.source = "certificate";
        enter(phase::fresh);
    } else if (failed && failed != asio::error::would_block) {
        core_->note_tls_failed("a TLS handshake", peer_.identity, failed);
    }
}

bool opening_stage::lacks_tls() const noexcept
{
    return accepted_.tls == encryption::required && !channel_.layer();
}

void opening_stage::open_http()
{
    if (!accepted_.http)
        return refuse();
    if (lacks_tls())
        return refuse("this port speaks TLS alone: ask by https or wss");
    hand_on_to_http(std::nullopt);
}

void opening_stage::open_session(framing_kind kind, bool is_accepted)
{
    if (!is_accepted || lacks_tls())
        return refuse();
    const bool is_asked = core_->options().access != nullptr;
    const std::shared_ptr<const access_grant> grant = is_asked ? core_->authenticate(peer_.identity) : nullptr;
    if (is_asked && !grant)
        return stop_at_once();
    const std::string untaken(work_->untaken());
    enter(phase::closed);
    work_.give_back();
    exit_.hand_on(*core_, [&] {
        return core_->serve_session(std::move(channel_).with_first(untaken), peer_.identity, grant, kind,
                                    exit_.on_end());
    });
}

// Where HTTP alone is spoken, its reader says what is wrong.
void opening_stage::refuse()
{
    core_->note_refused(peer_.identity);
    const bool is_http_alone = accepted_.http && !accepted_.lines && !accepted_.content_length && !lacks_tls();
    if (!is_http_alone)
        return stop_at_once();
    hand_on_to_http(std::nullopt);
}

void opening_stage::refuse(std::string_view text)
{
    core_->note_refused(peer_.identity);
    hand_on_to_http(http::refuse(400, error_codes::invalid_request, text));
}

void opening_stage::hand_on_to_http(std::optional<response> refusal)
{
    enter(phase::closed);
    std::shared_ptr<connection> next;
    const bool is_handed_on = exit_.hand_on(*core_, [&] {
        opened_connection opened{std::move(channel_), std::move(peer_), std::move(work_)};
        next = std::make_shared<connection>(core_, std::move(opened), exit_);
        return std::make_unique<shared_stage>(next);
    });
    if (is_handed_on)
        next->start(std::move(refusal));
}

} // namespace partyline::http
