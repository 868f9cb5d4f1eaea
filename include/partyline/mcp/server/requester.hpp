#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/description.hpp>
#include <partyline/mcp/revision.hpp>

#include <boost/json/object.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <optional>
#include <string_view>

namespace partyline {

class request_context;

} // namespace partyline

namespace partyline::mcp {

struct client_facts;

/// The client that has sent a request, as far as it has said who it is and what it can do. For functions that have a
/// `request_context` alone: methods of extensions, middleware. `mcp::context` is one.
///
///     options.around_requests.add([](partyline::request_context& rpc) {
///         const mcp::requester client(rpc);
///         count(client.client_info().name, rpc.method());
///     });
///
/// It may be copied, and outlive the request.
/// Thread safety: as a `const` object.
class PARTYLINE_EXPORT requester {
public:
    /// Of a request in a session of an `mcp::server`; of any other one nothing is known.
    explicit requester(const request_context& of);
    requester(const requester& other) noexcept;
    requester& operator=(const requester& other) noexcept;
    ~requester();

    /// How client and server came to terms.
    mcp::era era() const noexcept;
    /// The revision that the request is of.
    mcp::revision revision() const noexcept;
    /// Who the client says it is; without a name where it does not.
    const implementation& client_info() const noexcept;
    /// What the client says it can do; read anew each time.
    boost::json::object client_capabilities() const;

    // What the client says that it can be asked.

    /// Whether its user can be given forms: `context::elicit`.
    bool can_elicit() const noexcept;
    /// Whether its user can be asked to open pages: `context::elicit_url`.
    bool can_elicit_url() const noexcept;
    /// Whether its model can be asked: `context::sample`.
    bool can_sample() const noexcept;
    /// Whether that can be offered tools.
    bool can_sample_with_tools() const noexcept;
    /// Whether it tells its roots: `context::roots`.
    bool can_list_roots() const noexcept;

    /// The settings with which the client has declared an extension of the protocol (SEP-2133): in its handshake, from
    /// 2026-07-28 on with the request. Nothing where it has not, or not by an object. Says nothing of whether the
    /// server has it in this revision. Looks through what the client has declared.
    std::optional<boost::json::object> extension(std::string_view name) const;
    /// Throws `missing_capability`, which names the extension, where the client has not declared it. From 2026-07-28 on
    /// that is answered -32021; before that a tool has failed by it, and anything else is answered -32602.
    void require_extension(std::string_view name) const;

protected:
    /// For the library's own.
    explicit requester(boost::intrusive_ptr<const client_facts> facts) noexcept;
    /// For the library's own.
    const client_facts& facts() const noexcept { return *facts_; }

private:
    boost::intrusive_ptr<const client_facts> facts_; // never null
};

} // namespace partyline::mcp
