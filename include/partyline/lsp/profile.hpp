#pragma once

#include <partyline/config.hpp>
#include <partyline/session/profile.hpp>

#include <memory>

namespace partyline::lsp {

/// The base protocol of the Language Server Protocol 3.17 and 3.18, as the server has it. (A client takes the plain
/// profile, and `framing_kind::content_length`.) A session with
///
///     options.profile = &partyline::lsp::profile;
///
/// frames by `Content-Length` (unless `session_options::framing` says otherwise), takes integer and string ids only and
/// no batches, reports progress under `workDoneToken` alone, and keeps the lifecycle:
///
/// - Until `initialize` has been answered, requests are answered -32002 and notifications dropped. The method table
///   serves `initialize`; when that fails, the client may try again. A second `initialize` is answered -32600. An
///   `initialize` whose `capabilities`, `trace` or `processId` is of a wrong type, or has no value (`1e400`), is
///   answered -32602; each of these may be null or absent.
/// - The end of the process that `initialize` names by `processId` ends the session with `errc::peer_gone`; so does the
///   id of a process that does not exist, or can't be seen from here. (Not on sockets: there the number may be another
///   machine's. A process that can't be watched for another reason is logged and ignored.)
/// - `shutdown` is answered null, unless the method table serves it; later requests are answered -32600, notifications
///   dropped.
/// - `exit` ends the session at once, also while requests are under way, and before waiting messages are served: with
///   success after `shutdown`, else with `errc::exit_without_shutdown`; `run_stdio` returns 0 or 1.
/// - `$/setTrace` and `window/workDoneProgress/cancel` are noted, see client_info.hpp, and then served like others; a
///   `$/setTrace` whose value is no string is logged and dropped. Unknown notifications are ignored, unknown requests
///   answered -32601, also where they begin with `$/`.
/// - Members of params that a handler's types do not have are ignored: later versions of the protocol have more.
class PARTYLINE_EXPORT base_protocol final : public partyline::profile {
public:
    /// Sets the differences from plain JSON-RPC.
    constexpr base_protocol() noexcept
    {
        id_is_progress_token = false;
        allows_null_and_fraction_ids = false;
        allows_batches = false;
        binding.unknown = unknown_members::ignored;
        framing = framing_kind::content_length;
    }

    std::shared_ptr<lifecycle> make_lifecycle() const override;
};

/// The LSP profile, for `session_options::profile`.
inline constexpr base_protocol profile;

} // namespace partyline::lsp
