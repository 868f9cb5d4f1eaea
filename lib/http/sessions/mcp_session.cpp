#include "http/sessions/mcp_session.hpp"

#include "http/serve/http_service.hpp"
#include "http/serve/opened_connection.hpp"
#include "http/serve/use_peer.hpp"
#include "http/sessions/idle_sessions.hpp"
#include "http/sessions/resumed_reader.hpp"
#include "http/sessions/stream_reader.hpp"
#include "session/use_grant.hpp"
#include "transport/socket/address_count.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/error.hpp>

#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// All principals may come by way of one proxy. Anonymous ones have no source. No address has a line end.
std::string origin_of_session(const request& begun_by)
{
    if (begun_by.grant && !begun_by.grant->peer->source.empty())
        return begun_by.grant->peer->source + '\n' + begun_by.grant->peer->principal;
    return origin_of(address_of(begun_by.from)).to_string();
}

} // namespace

mcp_session::mcp_session(std::shared_ptr<http_service> of, std::string id, std::size_t bytes, const request& begun_by,
                         std::shared_ptr<const dispatcher> methods, session_options options,
                         std::shared_ptr<store_calls> store, std::string store_name)
    : core_(std::move(of)), id_(std::move(id)), bytes_(bytes), origin_(origin_of_session(begun_by)),
      grant_(begun_by.grant), share_(core_->options().session.budget.get()),
      conversation_(std::make_shared<conversation>(core_->executor(), std::move(methods), std::move(options),
                                                   std::make_unique<event_framing>())),
      store_(std::move(store)), store_name_(std::move(store_name)),
      own_(std::make_shared<session_stream>(0, *core_, as_owner(), store_, key_of(0))), last_use_(core_->now()),
      life_(core_->executor())
{
    life_.start(); // `end()` has nobody to report a lack of memory to
    count();
    conversation_->attach(*this);
    core_->note_session_begun();
}

mcp_session::~mcp_session()
{
    conversation_->detach();
}

bool mcp_session::is_owned_by(const access_grant* grant) const noexcept
{
    if (!grant_ || !grant) [[likely]]
        return grant_.get() == grant;
    return is_same_peer(*grant_, *grant);
}

void mcp_session::use_grant(const std::shared_ptr<const access_grant>& grant) noexcept
{
    if (grant == grant_) [[likely]]
        return;
    follow_grant(*conversation_, *grant_, *grant);
    grant_ = grant;
}

mcp_session::renewal mcp_session::renew_grant(access_control& access,
                                              std::chrono::system_clock::time_point now) noexcept
{
    const authentication again = renew_same_peer(access, grant_, now);
    if (again.outcome == authentication_outcome::expired)
        return renewal::same;
    if (again.outcome != authentication_outcome::admitted)
        return renewal::revoked;
    if (again.grant == grant_) [[likely]]
        return renewal::same;
    use_grant(again.grant);
    return renewal::changed;
}

void mcp_session::enter_idle(idle_sessions& idle) noexcept
{
    idle_ = &idle;
    note_use();
}

void mcp_session::leave_idle() noexcept
{
    if (is_linked())
        idle_->remove(*this);
    idle_ = nullptr;
}

void mcp_session::note_use() noexcept
{
    last_use_ = core_->now();
    count();
    place();
}

void mcp_session::count() noexcept
{
    share_.set(own_bytes + posts_.size() * bytes_of_post);
}

// Whatever others take, as many as take what a session may always have. They go on without their connections, so that
// it costs a client nothing to have very many.
bool mcp_session::has_room_for_post() const noexcept
{
    return !share_.is_used_up() || posts_.size() < memory_budget::always / bytes_of_post;
}

// With each use, so that idle ones stand in the order of their last uses.
void mcp_session::place() noexcept
{
    if (is_linked())
        idle_->remove(*this);
    if (idle_ && (has_ended_ || is_idle()))
        idle_->add(*this);
}

void mcp_session::note_reader_begun() noexcept
{
    ++readers_;
    note_use();
}

void mcp_session::note_reader_gone() noexcept
{
    --readers_;
    note_use();
}

endpoint::answer mcp_session::post(request&& asked, reply_sink& line, bool begins)
{
    if (begins)
        conversation_->guarded([this] { conversation_->begin(); });
    if (has_ended_ || !has_room_for_post()) // `on_start` has thrown
        return busy();
    const auto one = std::make_shared<post_exchange>(
        *core_, *conversation_, std::shared_ptr<post_exchange::keeper>(shared_from_this(), this),
        begins ? post_exchange::place::first : post_exchange::place::later);
    posts_.emplace(one.get(), open_post{one, nullptr});
    note_use();
    try {
        std::optional<response> refused = one->begin(std::move(asked), status_rule::legacy, line);
        if (!refused)
            return std::shared_ptr<exchange>(one);
        close_post(posts_.find(one.get()));
        return std::move(*refused);
    } catch (...) {
        close_post(posts_.find(one.get()));
        throw;
    }
}

endpoint::answer mcp_session::get(const request& asked, reply_sink& line)
{
    note_use();
    const std::string_view last = asked.head.find("last-event-id");
    std::shared_ptr<session_stream> stream = own_;
    if (!last.empty()) {
        const std::optional<event_id> id = parse_event_id(last);
        stream = id ? find(id->stream) : nullptr;
        if (!stream || !stream->rewind(id->event + 1))
            return id && may_be_stored(*id) ? get_stored(*id, asked, line) : no_such_event();
    }
    auto reader = std::make_shared<stream_reader>(shared_from_this(), stream, line, asked.style);
    end_resumed(stream->log().stream());
    return std::shared_ptr<exchange>(std::move(reader));
}

endpoint::answer mcp_session::get_stored(const event_id& last, const request& asked, reply_sink& line)
{
    if (!store_->has_room_to_read(store_name_))
        return busy();
    auto reader = std::make_shared<resumed_reader>(shared_from_this(), store_, last, line, asked.style);
    end_resumed(last.stream);
    reader->start();
    resumed_.push_back(*reader);
    return std::shared_ptr<exchange>(std::move(reader));
}

void mcp_session::end() noexcept
{
    if (std::exchange(has_ended_, true))
        return;
    stop_recording();
    core_->note_session_ended();
    place();
    life_.keep(shared_from_this());
    own_->complete();
    if (stream_reader* const reader = own_->reader())
        reader->end();
    while (!resumed_.empty()) {
        resumption& one = resumed_.front();
        resumed_.pop_front();
        one.end();
    }
    while (!posts_.empty()) {
        const open_post one = std::move(posts_.begin()->second);
        posts_.erase(posts_.begin());
        one.close();
        one.exchange->end();
    }
    count();
    kept_.clear();
    for (const auto& [number, stream] : std::exchange(streams_, {})) {
        if (stream_reader* const reader = stream->reader())
            reader->end();
    }
    conversation_->stop(asio::error::operation_aborted, {errc::session_closed});
}

void mcp_session::on_end(error_code) noexcept
{
    end(); // where nobody has asked for it
    life_.stop();
}

} // namespace partyline::http
