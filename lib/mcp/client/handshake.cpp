#include "mcp/client/handshake.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/read_answers.hpp"
#include "mcp/answers/read_result.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/envelope.hpp"
#include "mcp/wire/client_facts.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/mcp/error_codes.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe/class.hpp>
#include <boost/json/serialize.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {

BOOST_DESCRIBE_STRUCT(server_info, (), (capabilities, instructions))
constexpr auto notes_of(of<server_info>)
{
    return notes(note(&server_info::instructions, defaulted));
}

namespace {

/// The result of `server/discover`.
struct discovered : server_info {
    json::array versions;
    json::object meta;

    static constexpr auto notes()
    {
        return partyline::notes(note(&discovered::versions, wire_name("supportedVersions")),
                                note(&discovered::meta, wire_name("_meta"), defaulted));
    }
};
BOOST_DESCRIBE_STRUCT(discovered, (server_info), (versions, meta))

/// The result of `initialize`.
struct initialized : server_info {
    std::string version;
    json::value server; // who it is

    static constexpr auto notes()
    {
        return partyline::notes(note(&initialized::version, wire_name("protocolVersion")),
                                note(&initialized::server, wire_name("serverInfo")));
    }
};
BOOST_DESCRIBE_STRUCT(initialized, (server_info), (version, server))

// The codes that only modern servers have.
bool is_modern_error(int code) noexcept
{
    return code <= error_codes::header_mismatch && code >= error_codes::unsupported_protocol_version;
}

struct spoken {
    bool modern = false; // a revision that is known here
    bool legacy = false;
};

spoken spoken_in(const json::array& versions)
{
    spoken found;
    for (const json::value& one : versions) {
        const auto known = one.is_string() ? find_revision(one.get_string()) : std::nullopt;
        if (known)
            (era_of(*known) == era::modern ? found.modern : found.legacy) = true;
    }
    return found;
}

const json::array* array_in(const json::value* of, std::string_view name)
{
    const json::object* const members = of ? of->if_object() : nullptr;
    const json::value* const found = members ? members->if_contains(name) : nullptr;
    return found ? found->if_array() : nullptr;
}

std::string versions_text(const json::array& versions)
{
    return "the server has " + json::serialize(versions).substr(0, 200);
}

} // namespace

struct handshake::late_call {
    explicit late_call(const asio::any_io_executor& where) : arrived(where) {}

    asio::steady_timer arrived;
    asio::cancellation_signal cancel;
    std::optional<response> reply;
};

std::shared_ptr<handshake::late_call> handshake::begin(std::string method, std::string params) const
{
    auto made = std::make_shared<late_call>(core_.get_executor());
    core_.peer().call(std::move(method), json_text(std::move(params)))(
        asio::bind_cancellation_slot(made->cancel.slot(), [made](error_code, response reply) {
            made->reply.emplace(std::move(reply));
            made->arrived.cancel();
        }));
    return made;
}

// False: it has not come within that time.
task<bool> handshake::wait(std::shared_ptr<late_call> of, std::chrono::steady_clock::duration most) const
{
    if (of->reply)
        co_return true;
    of->arrived.expires_at(time_limit(most).end());
    const auto [cancelled] = co_await of->arrived.async_wait(asio::as_tuple(asio::deferred));
    if (of->reply)
        co_return true;
    if (cancelled)
        throw failed_call(asio::error::operation_aborted);
    co_return false;
}

task<void> handshake::run()
{
    const client_options& options = core_.options();
    bool is_modern = false;
    if (options.era == wanted_era::automatic)
        is_modern = co_await discover(options.probe_timeout);
    else if (options.era == wanted_era::modern)
        is_modern = co_await discover(options.handshake_timeout);
    if (!is_modern)
        co_await initialize();
    if (silent_ && !silent_->reply)
        silent_->cancel.emit(asio::cancellation_type::terminal);
}

task<bool> handshake::discover(std::chrono::steady_clock::duration most)
{
    for (;;) {
        const std::shared_ptr<late_call> asked = begin(std::string(methods::discover), core_.params_text({}, {}));
        const bool has_come = co_await wait(asked, most);
        if (!has_come) {
            silent_ = asked;
            if (core_.options().era == wanted_era::modern)
                throw failed_call(errc::timeout, "the server does not answer server/discover");
            co_return false;
        }
        const bool was_again = is_again_;
        const bool is_modern = take_discovery(*asked->reply);
        if (is_modern || is_again_ == was_again)
            co_return is_modern;
    }
}

// Sets `is_again_` where it is to be asked once more.
bool handshake::take_discovery(const response& reply)
{
    // Over HTTP, a server of the handshake's era refuses what belongs to no session by a status, and by no reply to the
    // request.
    if (reply.code() == errc::http_status && core_.options().era == wanted_era::automatic)
        return false;
    if (reply.code())
        throw failed_call(reply.code(), reply.details());
    if (!reply.error())
        return take_facts(reply);
    const error_object& answered = *reply.error();
    if (is_modern_error(answered.code))
        return falls_back(answered);
    if (core_.options().era == wanted_era::modern)
        throw rpc_error(answered);
    return false;
}

bool handshake::take_facts(const response& reply)
{
    json::value whole = parse_result(methods::discover, *reply);
    const json::array* const versions = array_in(&whole, "supportedVersions");
    if (!versions && core_.options().era == wanted_era::automatic)
        return false; // a server that answers anything
    if (versions && !spoken_in(*versions).modern) {
        if (!spoken_in(*versions).legacy)
            throw failed_call(client_errc::unsupported_version, versions_text(*versions));
        return falls_back(versions_text(*versions));
    }
    discovered told = read_as<discovered>(methods::discover, whole);
    told.revision = newest_modern;
    if (const json::value* const info = told.meta.if_contains(meta_names::server_info))
        told.info = read_implementation(*info);
    told.raw = std::move(whole.get_object());
    core_.agree(std::move(told));
    return true;
}

bool handshake::falls_back(const error_object& answered)
{
    const json::array* const versions = array_in(answered.data ? &*answered.data : nullptr, "supported");
    const spoken known = versions ? spoken_in(*versions) : spoken{.modern = true};
    if (known.modern) {
        if (std::exchange(is_again_, true))
            throw rpc_error(answered);
        return false;
    }
    if (!known.legacy)
        throw failed_call(client_errc::unsupported_version, versions_text(*versions));
    return falls_back(versions_text(*versions));
}

bool handshake::falls_back(const std::string& details) const
{
    if (core_.options().era == wanted_era::modern)
        throw failed_call(client_errc::unsupported_version, details);
    return false;
}

std::string handshake::initialize_params() const
{
    const client_options& options = core_.options();
    return json::serialize(json::object{{"protocolVersion", json::string(to_string(newest_legacy))},
                                        {"capabilities", client_capabilities(core_.handlers(), options, era::legacy)},
                                        {"clientInfo", write_implementation(options.info, newest_legacy)}});
}

task<void> handshake::initialize()
{
    const std::shared_ptr<late_call> asked = begin(std::string(methods::initialize), initialize_params());
    const bool has_come = co_await wait(asked, core_.options().handshake_timeout);
    if (!has_come)
        throw failed_call(errc::timeout, "the server does not answer initialize");
    const response& reply = *asked->reply;
    if (reply.code())
        throw failed_call(reply.code(), reply.details());
    if (reply.error()) {
        co_await take_refusal(*reply.error());
        co_return;
    }
    take_initialized(reply);
    co_await core_.peer().notify("notifications/initialized");
}

// By a modern server that was slow to answer, or that names its revisions here.
task<void> handshake::take_refusal(error_object answered)
{
    const bool may_be_modern = core_.options().era == wanted_era::automatic;
    if (may_be_modern && silent_ && silent_->reply && take_discovery(*silent_->reply))
        co_return;
    if (may_be_modern && is_modern_error(answered.code)) {
        falls_back(answered);
        const bool is_modern = co_await discover(core_.options().handshake_timeout);
        if (is_modern)
            co_return;
    }
    throw rpc_error(std::move(answered));
}

void handshake::take_initialized(const response& reply)
{
    json::value whole = parse_result(methods::initialize, *reply);
    initialized told = read_as<initialized>(methods::initialize, whole);
    const std::optional<mcp::revision> known = find_revision(told.version);
    if (!known || era_of(*known) != era::legacy)
        throw failed_call(client_errc::unsupported_version, "the server wants " + told.version.substr(0, 100));
    told.revision = *known;
    told.info = read_implementation(told.server);
    told.raw = std::move(whole.get_object());
    core_.agree(std::move(told));
}

} // namespace partyline::mcp
