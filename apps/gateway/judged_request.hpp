#pragma once

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/access_view.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gateway {

inline constexpr std::string_view call_tool_method = "tools/call";
inline constexpr std::string_view get_prompt_method = "prompts/get";
inline constexpr std::string_view read_resource_method = "resources/read";
inline constexpr std::string_view updated_method = "notifications/resources/updated";
/// Requests for these are judged by the tool, the prompt or the resource that their params name.
inline constexpr std::string_view target_methods[] = {call_tool_method, get_prompt_method, read_resource_method};

/// What the params of such a request name, for `access_view::judge`; empty where they name nothing.
std::string target_key(std::string_view method, partyline::message_reader& reader);

/// What a request is answered for a tool, prompt or resource that does not exist for its client, whether the server has
/// it or not. The server is not asked, so that its answer, and the time that it takes, tell nothing.
partyline::error_object unknown_target(std::string_view method, partyline::json_view params);

/// The method by which what params of `method` name is judged: `method` itself, or the one that reads or gets what
/// completions and subscriptions are for. What a completion is for is a resource where `name` begins with a scheme, and
/// else a prompt.
std::string_view judging_method(std::string_view method, std::string_view name);

/// The key by which a tool, a prompt or a resource is judged; `method` is the one that calls, gets or reads it. Nothing
/// for a resource whose URI a server may take for another one, which is hidden: with segments `.` and `..`, spaces at
/// its ends, control characters, or a "%" that encodes nothing.
std::optional<std::string> judged_key(std::string_view method, std::string_view name);

/// Asks a view for a tool, a prompt or a resource by its `judged_key`.
partyline::access_verdict judge_target(const partyline::access_view& by, std::string_view method,
                                       std::string_view name);

/// The params of a request or notification as they are forwarded, once the view allows its method and what
/// `target_key` has found. The prompts and resources that `completion/complete`, `resources/subscribe` and
/// `subscriptions/listen` name are judged here; resources that are hidden are no longer among those that
/// `subscriptions/listen` names. Throws `rpc_error` for what may not be forwarded, also where two readers could take
/// the params for two different things.
partyline::json_text judged_params(const partyline::access_view& by, std::string_view method,
                                   partyline::json_text params);

/// Whether a client with this view, which may be null, hears a notification now: updates are of resources that it may
/// read.
bool may_hear(const partyline::access_view* by, std::string_view method, const partyline::json_text& params);

} // namespace gateway
