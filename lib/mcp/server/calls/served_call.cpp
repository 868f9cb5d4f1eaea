#include "mcp/server/calls/served_call.hpp"

#include "mcp/server/features/feature.hpp"
#include "mcp/server/result_envelope.hpp"
#include "mcp/server/sessions/session_client.hpp"
#include "mcp/wire/content_text.hpp"
#include "mcp/wire/refusals.hpp"
#include "mcp/wire/written_object.hpp"
#include "session/current_exception.hpp"

#include <partyline/mcp/error_codes.hpp>
#include <partyline/mcp/server.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>
#include <stdexcept>
#include <utility>
#include <variant>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

// "limit": expected integer from 1 to 1000, got 0
std::string words_of(const json::object& problem)
{
    const auto text = [&](std::string_view name) {
        const json::value* const found = problem.if_contains(name);
        return found && found->is_string() ? std::string(found->get_string()) : std::string();
    };
    const std::string where = text("parameter");
    const std::string got = text("got");
    return (where.empty() ? std::string("expected ") : '"' + where + "\": expected ") + text("expected") +
           (got.empty() ? std::string() : ", got " + got);
}

// All that is wrong with the arguments, in one sentence that a model can go by.
std::string describe_mismatch(const error_object& problem)
{
    const json::object* const first = problem.data ? problem.data->if_object() : nullptr;
    if (!first)
        return problem.message;
    std::string words = words_of(*first);
    std::size_t count = 1;
    if (const json::value* const others = first->if_contains("others"); others && others->is_array())
        for (const json::value& one : others->get_array())
            if (const json::object* const another = one.if_object()) {
                words += "; " + words_of(*another);
                ++count;
            }
    return (count == 1 ? std::string("1 argument does not fit: ") : std::to_string(count) + " arguments do not fit: ") +
           words;
}

std::string words_of(std::chrono::steady_clock::duration time)
{
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    if (milliseconds % 1000 == 0)
        return std::to_string(milliseconds / 1000) + " s";
    return std::to_string(milliseconds) + " ms";
}

std::optional<cache_rule> cache_rule_of(const feature& of)
{
    if (of.kind() != feature_kind::resource && of.kind() != feature_kind::resource_template)
        return std::nullopt;
    return cache_rule{of.server().options.resource_lifetime, of.server().options.are_resources_public};
}

} // namespace

served_call::served_call(request_context& rpc, const feature& of)
    : rpc_(rpc), of_(of), session_(session_of(rpc)), context_(*this, client_of(rpc, session_.get()))
{
}

served_call::~served_call() = default;

json_view served_call::open(json_view params, bool may_ask)
{
    const request_members members = read_members(params, client().said);
    if (!members.uri.empty()) {
        std::string_view text;
        std::string decoded;
        if (read_string(members.uri, text, decoded))
            uri_ = text;
    }
    const json_view arguments = of_.arguments(members, memory_);
    if (may_ask && era_of(client().revision) == era::modern) {
        arguments_ = arguments.text();
        open_rounds(members);
    }
    if (const std::string wrong = of_.check(arguments); !wrong.empty())
        throw_mismatch(wrong);
    reads_arguments_ = true;
    return arguments;
}

// A retry without a state is a fresh start, which may bring answers all the same.
void served_call::open_rounds(const request_members& of)
{
    round_memo memo;
    std::string_view sealed;
    std::string decoded;
    if (read_string(of.request_state, sealed, decoded)) {
        std::variant<round_memo, state_fault> opened =
            of_.server().state.states()->open(sealed, binding(), std::chrono::system_clock::now());
        if (const state_fault* const fault = std::get_if<state_fault>(&opened)) {
            if (session_)
                session_->log("a requestState for \"" + of_.key() + "\" was refused: it " + std::string(words(*fault)));
            throw rpc_error(partyline::error_codes::invalid_params, "Invalid or expired requestState");
        }
        memo = std::get<round_memo>(std::move(opened));
        ++memo.round;
    } else if (!of.request_state.empty() && of.request_state.text() != "null")
        throw rpc_error(partyline::error_codes::invalid_params, "Invalid or expired requestState");
    rounds_.emplace(std::move(memo), of.input_responses.to_value());
}

state_binding served_call::binding()
{
    principal_ = principal_of(rpc_.peer());
    return {of_.method_name(), of_.kind() == feature_kind::resource_template ? std::string_view(uri_) : of_.key(),
            json_view::checked(arguments_), principal_};
}

// Principals of two sources are two, even where they have the same name.
std::string served_call::principal_of(const peer_identity& peer)
{
    return peer.principal.empty() ? std::string() : peer.source + '\n' + peer.principal;
}

std::optional<log_level> served_call::log_from() const
{
    if (era_of(client().revision) == era::modern)
        return client().log_from;
    return session_ ? std::optional(session_->log_from()) : std::nullopt;
}

bool served_call::advance(double done) noexcept
{
    if (last_progress_ && !(done > *last_progress_))
        return false;
    last_progress_ = done;
    return true;
}

bool served_call::is_tool() const noexcept
{
    return of_.kind() == feature_kind::tool;
}

// However a handler has ended, what it asked decides: one that swallows what asking throws changes nothing.
void served_call::finish(call_output& out, const std::exception_ptr& thrown)
{
    if (rounds_ && rounds_->has_open())
        write_questions(out);
    else if (thrown)
        write_thrown(out, thrown);
    else if (const std::optional<error_object> refusal = out.refusal())
        refuse_arguments(out, *refusal);
    else
        close(out);
}

void served_call::close(call_output& out) const
{
    byte_buffer& text = out.text();
    if (out.is_error()) {
        text.append(R"(,"isError":true)");
        rpc_.note_tool_error();
    }
    text.push_back('}');
    if (era_of(client().revision) == era::modern)
        add_envelope(text, {.cache = cache_rule_of(of_), .meta_members = out.meta_members()}, of_.server());
    else if (!out.meta_members().empty())
        add_written_member(text, "_meta", '{' + out.meta_members() + '}');
}

void served_call::write_questions(call_output& out)
{
    rounds_->note_asked();
    std::string state;
    try {
        state = of_.server().state.states()->seal(rounds_->memo(), binding(), std::chrono::system_clock::now());
    } catch (const unsealable_state& problem) {
        return write_failure(out, std::string("What is to be remembered can't be kept: ") + problem.what());
    }
    out.clear();
    try {
        write_object(out.text(), json::object{{"inputRequests", rounds_->questions()}});
    } catch (const std::invalid_argument& problem) {
        return write_failure(out, std::string("What is asked is ") + problem.what());
    }
    add_written_member(out.text(), "requestState", '"' + state + '"');
    add_envelope(out.text(), {.type = "input_required"}, of_.server());
}

// Told as a result where the model may do something about it, and else as an error.
void served_call::write_failure(call_output& out, std::string_view text)
{
    if (!is_tool())
        throw rpc_error(partyline::error_codes::internal_error, std::string(text));
    tool_result told;
    told.content.emplace_back(text);
    told.is_error = true;
    out.clear();
    out.put(told);
    close(out);
}

void served_call::write_thrown(call_output& out, const std::exception_ptr& thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const tool_error& told) {
        write_failure(out, told.what());
    } catch (const rpc_error& told) {
        if (!reads_arguments_)
            throw;
        refuse_arguments(out, told.error());
    } catch (const missing_capability& missing) {
        refuse_question(out, missing);
    } catch (const resource_not_found&) {
        throw_not_found();
    } catch (...) {
        if (!is_tool())
            throw;
        if (rpc_.cancelled())
            return write_cancelled(out);
        write_failure(out, words_for_unexpected(thrown));
    }
}

// Called where something has been thrown. A tool that is cancelled may throw anything.
void served_call::write_cancelled(call_output& out)
{
    const auto deadline = of_.method().options.deadline;
    if (rpc_.stopping() || deadline == std::chrono::steady_clock::duration::zero())
        throw;
    write_failure(out, "timed out after " + words_of(deadline));
}

// Since 2025-11-25, since it can do better.
bool served_call::tells_model_of_arguments() const noexcept
{
    return is_tool() && client().revision >= revision::v2025_11_25;
}

void served_call::throw_mismatch(const std::string& wrong) const
{
    if (tells_model_of_arguments())
        throw tool_error(wrong);
    throw rpc_error(partyline::error_codes::invalid_params, "Invalid params", json::object{{"reason", wrong}});
}

void served_call::refuse_arguments(call_output& out, const error_object& problem)
{
    if (tells_model_of_arguments())
        return write_failure(out, describe_mismatch(problem));
    if (of_.kind() == feature_kind::resource_template)
        throw_not_found(); // a variable that is none
    throw rpc_error(problem);
}

void served_call::refuse_question(call_output& out, const missing_capability& missing)
{
    if (era_of(client().revision) == era::modern)
        throw rpc_error(missing_capability_error(missing, client().revision));
    write_failure(out, "The client can't be asked: it lacks the capability " + json::serialize(missing.required()));
}

void served_call::throw_not_found() const
{
    const int code = era_of(client().revision) == era::modern ? partyline::error_codes::invalid_params
                                                              : error_codes::resource_not_found;
    throw rpc_error(code, "Resource not found", json::object{{"uri", uri_}});
}

// Its text may tell secrets: it is for the log.
std::string served_call::words_for_unexpected(const std::exception_ptr& thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (...) {
        const std::string text = current_exception_text();
        if (session_)
            session_->log('"' + of_.key() + "\" failed: " + text);
        const bool is_exposed = session_ && session_->exposes_errors();
        return "Internal error (" + (is_exposed ? text : current_exception_name()) + ')';
    }
}

} // namespace partyline::mcp::detail
