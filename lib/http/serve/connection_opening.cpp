// What a connection begins with, and what it becomes by that.

#include "http/rules/proxy_head.hpp"
#include "http/serve/connection.hpp"
#include "http/serve/hand_over.hpp"
#include "http/serve/http_service.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/error.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

void connection::open()
{
    if (accepted_.proxy_protocol && !has_proxy_ && !take_proxy())
        return;
    if (!work_->untaken().empty())
        return open_by(opening_of(work_->untaken()));
    rest();
    wait_readable();
}

// False: more has to come first, or it is over.
bool connection::take_proxy()
{
    const proxy_head found = read_proxy_head(work_->untaken());
    if (found.read == proxy_head::state::refused) { // whoever it is, no answer is for them
        core_->note_refused(peer_);
        stop_at_once();
        return false;
    }
    if (found.read == proxy_head::state::more) {
        wait_readable();
        return false;
    }
    has_proxy_ = true;
    work_->taken += found.size;
    work_->forget_taken();
    if (found.client)
        peer_.address = found.client;
    from_ = reach::network; // whatever it says: the proxy is near, and not who asks by it
    return count_client();
}

// False: too many have come from there, and this one is closed as one that comes without a proxy is.
bool connection::count_client()
{
    const auto count = std::exchange(hooks_.on_client, nullptr);
    if (count(peer_.address))
        return true;
    stop_at_once();
    return false;
}

void connection::open_by(opening what)
{
    switch (what) {
    case opening::undecided: return wait_readable();
    case opening::tls: return begin_tls();
    case opening::http: return open_http();
    case opening::lines: return open_session(framing_kind::lines, accepted_.lines);
    case opening::content_length: return open_session(framing_kind::content_length, accepted_.content_length);
    case opening::proxy:
    case opening::unknown: return refuse_opening();
    }
}

bool connection::lacks_tls() const noexcept
{
    return accepted_.tls == encryption::required && !channel_.layer();
}

void connection::open_http()
{
    if (!accepted_.http)
        return refuse_opening();
    if (lacks_tls())
        return refuse_opening("this port speaks TLS alone: ask by https or wss");
    enter(phase::receiving);
    advance();
}

void connection::open_session(framing_kind kind, bool is_accepted)
{
    if (!is_accepted || lacks_tls())
        return refuse_opening();
    hand_over([&](socket_channel channel, std::function<void(error_code)> on_end) {
        return core_->serve_session(std::move(channel), kind, std::move(on_end));
    });
}

void connection::begin_tls()
{
    if (accepted_.tls == encryption::none || channel_.layer())
        return refuse_opening("TLS is not spoken here: ask by http or ws");
    channel_.encrypt(core_->options().tls->accept(channel_.lowest_layer().native_handle(), work_->untaken()));
    work_->taken = work_->in.size();
    work_->forget_taken();
    core_->connections().expect_handshake(*this, came_from());
    enter(phase::handshaking);
    core_->connections().bound_handshakes(core_->options().max_handshakes);
    if (at_ != phase::closed)
        read(); // it may all be there
}

// Of a read that has gone on with it.
void connection::note_handshake(const error_code& failed)
{
    if (channel_.layer()->is_established()) {
        peer_.principal = channel_.layer()->peer_subject();
        enter(phase::fresh);
    } else if (failed && failed != asio::error::would_block) {
        core_->note_tls_failed("a TLS handshake", peer_, failed);
    }
}

// Where HTTP alone is spoken, its reader says what is wrong.
void connection::refuse_opening()
{
    core_->note_refused(peer_);
    const bool is_http_alone = accepted_.http && !accepted_.lines && !accepted_.content_length && !lacks_tls();
    if (!is_http_alone)
        return stop_at_once();
    enter(phase::receiving);
    advance();
}

void connection::refuse_opening(std::string_view text)
{
    core_->note_refused(peer_);
    style_ = {};
    record_.begin(core_->log(), {}, peer_);
    answer_and_close(refuse(400, error_codes::invalid_request, text));
}

} // namespace partyline::http
