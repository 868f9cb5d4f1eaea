#include "mcp/server/sessions/server_lifecycle.hpp"

#include "mcp/server/server_core.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/refusals.hpp"
#include "mcp/wire/request_members.hpp"

#include <partyline/mcp/error_codes.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/rpc/detail/read_result.hpp>

#include <boost/asio/detached.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

ruling refuse(error_object error)
{
    ruling no;
    no.action = ruling_action::refuse;
    no.error = std::move(error);
    return no;
}

ruling answer(const json::object& with)
{
    ruling yes;
    yes.action = ruling_action::answer;
    yes.result = json_text(json::serialize(with));
    return yes;
}

constexpr std::string_view in_meta = "_meta.";

error_object not_found(std::string_view method)
{
    return {partyline::error_codes::method_not_found, "Method not found",
            json::object{{"method", json::string(method)}}};
}

error_object not_greeted()
{
    return {partyline::error_codes::invalid_params, "Invalid params",
            json::object{{"parameter", "_meta." + std::string(meta_names::protocol_version)},
                         {"expected", "a protocol version, or initialize first of all"}}};
}

error_object unsupported(std::string_view requested)
{
    return {error_codes::unsupported_protocol_version, "Unsupported protocol version",
            json::object{{"supported", json::array{json::string(to_string(newest_modern))}},
                         {"requested", json::string(requested)}}};
}

// What a client says of itself is kept, by a session or while its request is served. What it takes as a value is many
// times its text.
constexpr std::size_t longest_kept = std::size_t(64) << 10;
constexpr std::size_t longest_word = 100;
// So much is remembered of a request of 2026-07-28, for the next one that says the same.
constexpr std::size_t longest_remembered = std::size_t(4) << 10;

// Throws `rpc_error` for what is longer, or something else.
template <class T>
T read_said(json_view said, std::string_view place, std::string_view name, std::size_t longest)
{
    const std::string where = std::string(place).append(name);
    if (said.text().size() > longest)
        throw rpc_error(invalid_params(where, "at most " + std::to_string(longest) + " bytes"));
    error_object problem;
    std::optional<T> read = partyline::detail::read_tolerantly<T>(said.to_value(), problem);
    if (!read)
        throw rpc_error(invalid_params(where, problem.data->at("expected").as_string()));
    return *std::move(read);
}

// Throws `rpc_error` for a version that is none, or of another era.
void check_modern_version(json_view said)
{
    const std::string version = read_said<std::string>(said, in_meta, meta_names::protocol_version, longest_word);
    const std::optional<revision> known = find_revision(version);
    if (!known || era_of(*known) != era::modern)
        throw rpc_error(unsupported(version));
}

json_view member_of(json_view object, std::string_view name, message_reader& reader)
{
    return object.text().starts_with('{') ? reader.find_member(object, name) : json_view();
}

ruling admit_modern(const message& m, client_facts_ptr facts)
{
    if (is_of_other_era(m.method, era::modern))
        return refuse(not_found(m.method));
    ruling yes;
    yes.facts = std::move(facts);
    return yes;
}

} // namespace

void server_lifecycle::on_attached(std::shared_ptr<session_link> own)
{
    link_ = std::move(own);
    share_.emplace(link_->budget().get());
    core_->join(weak_from_this());
    if (core_->has_replaced_methods()) // whoever made the session may have asked for them before a change
        link_->post([core = core_](live_session& session) { session.use_methods(core->methods()); });
}

ruling server_lifecycle::on_request(const message& m, message_reader& reader)
{
    if (is_behind_.load(std::memory_order_relaxed)) [[unlikely]] {
        is_behind_ = false;
        ask_to_catch_up();
    }
    try {
        const json_view meta = reader.find_param("_meta");
        if (last_modern_ && meta.text() == last_modern_->said)
            return admit_modern(m, last_modern_);
        const json_view version = member_of(meta, meta_names::protocol_version, reader);
        if (!version.empty())
            return rule_modern(m, meta, version, reader);
        return rule_legacy(m, reader);
    } catch (const rpc_error& problem) {
        return refuse(problem.error());
    }
}

// Throws `rpc_error`.
ruling server_lifecycle::rule_modern(const message& m, json_view meta, json_view version, message_reader& reader)
{
    check_modern_version(version);
    const client_facts_ptr facts = read_modern(meta, reader, is_required::yes);
    last_modern_ = facts->said.empty() ? nullptr : facts;
    reader.expect(json_view::checked(facts->said));
    return admit_modern(m, facts);
}

// Throws `rpc_error`.
client_facts_ptr server_lifecycle::read_modern(json_view meta, message_reader& reader, is_required said)
{
    auto made = std::make_unique<client_facts>();
    made->revision = newest_modern;
    const json_view capabilities = member_of(meta, meta_names::client_capabilities, reader);
    if (said == is_required::yes || !capabilities.empty())
        made->declare(capabilities.text(),
                      read_said<json::object>(capabilities, in_meta, meta_names::client_capabilities, longest_kept));
    const json_view info = member_of(meta, meta_names::client_info, reader);
    if (const auto said_info =
            read_said<std::optional<json::object>>(info, in_meta, meta_names::client_info, longest_kept))
        made->info = read_implementation(*said_info);
    made->log_from = read_said<std::optional<log_level>>(member_of(meta, meta_names::log_level, reader), in_meta,
                                                         meta_names::log_level, longest_word);
    if (meta.text().size() <= longest_remembered)
        made->said = meta.text();
    return client_facts_ptr(made.release());
}

ruling server_lifecycle::rule_legacy(const message& m, message_reader& reader)
{
    if (m.method == methods::ping)
        return answer({});
    if (m.method == methods::initialize) {
        if (stage_ == stage::created)
            return greet(reader);
        return refuse({partyline::error_codes::invalid_request, "Invalid Request",
                       json::object{{"reason", "initialize came a second time"}}});
    }
    if (stage_ == stage::created)
        return refuse(not_greeted());
    if (is_of_other_era(m.method, era::legacy))
        return refuse(not_found(m.method));
    return {};
}

// One that is refused changes nothing, and may be tried again. Throws `rpc_error`.
ruling server_lifecycle::greet(message_reader& reader)
{
    const auto version =
        read_said<std::string>(reader.find_param("protocolVersion"), {}, "protocolVersion", longest_word);
    const json_view said = reader.find_param("capabilities");
    const auto capabilities = read_said<json::object>(said, {}, "capabilities", longest_kept);
    const auto info = read_said<json::object>(reader.find_param("clientInfo"), {}, "clientInfo", longest_kept);

    const std::optional<revision> wanted = find_revision(version);
    auto made = std::make_unique<client_facts>();
    made->revision = wanted && era_of(*wanted) == era::legacy ? *wanted : newest_legacy;
    made->declare(said.text(), capabilities);
    made->info = read_implementation(info);
    check_budget_for(made->bytes());
    json::object result = core_->greeting(made->revision, link_ ? link_->access().get() : nullptr);
    greeted_ = client_facts_ptr(made.release());
    count();
    stage_ = stage::greeted;
    return answer(result);
}

// What is to be requested is not done without an id: nobody would be told, and no handshake is asked for.
ruling server_lifecycle::on_notification(const message& m, message_reader& reader)
{
    ruling taken;
    if (!m.method.starts_with("notifications/")) {
        taken.action = ruling_action::drop;
        return taken;
    }
    if (stage_ != stage::created && m.method == "notifications/initialized") {
        stage_ = stage::operating;
        taken.action = ruling_action::answer_unless_served;
    }
    if (!is_client_notification(m.method)) // an extension's
        taken.facts = facts_of_notification(reader);
    return taken;
}

// It need not say what requests have to; one that says nothing, or what the protocol has not, is of the handshake.
client_facts_ptr server_lifecycle::facts_of_notification(message_reader& reader) const
{
    try {
        const json_view meta = reader.find_param("_meta");
        if (last_modern_ && meta.text() == last_modern_->said)
            return last_modern_;
        const json_view version = member_of(meta, meta_names::protocol_version, reader);
        if (version.empty())
            return greeted_;
        check_modern_version(version);
        return read_modern(meta, reader, is_required::no);
    } catch (const rpc_error&) {
        return greeted_;
    }
}

bool server_lifecycle::allows_batches() const
{
    return greeted_->revision == revision::v2025_03_26;
}

std::string_view server_lifecycle::protocol_version(const message&, message_reader& reader) const
{
    const json_view told = member_of(reader.find_param("_meta"), meta_names::protocol_version, reader);
    if (told.empty())
        return stage_ == stage::created ? std::string_view() : to_string(greeted_->revision);
    std::string_view read;
    std::string memory;
    const std::optional<revision> known = read_string(told, read, memory) ? find_revision(read) : std::nullopt;
    return known ? to_string(*known) : std::string_view();
}

// A stream that this side ends is told of twice: by its result, for clients that wait for that, and by a cancel, which
// the others take.
void server_lifecycle::on_answered(const answer_given& given)
{
    if (given.method != methods::listen || given.outcome != answer_outcome::result || !link_)
        return;
    if (ended_streams_.empty()) // one visit for all of them: the session may be over before another comes
        link_->post([self = shared_from_this()](live_session& session) { self->tell_ended_streams(session); });
    ended_streams_.emplace_back(given.id);
}

void server_lifecycle::tell_ended_streams(live_session& session)
{
    for (const std::string& id : std::exchange(ended_streams_, {}))
        session.notify("notifications/cancelled", json_text("{\"requestId\":" + id + '}'))(asio::detached);
}

void server_lifecycle::log(std::string_view line) const noexcept
{
    if (link_)
        link_->log(line);
}

} // namespace partyline::mcp
