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

/// The client that has sent a request: the identity and the capabilities that it has declared. For functions that only
/// have a `request_context`: methods of extensions, middleware. An `mcp::context` is a requester, too.
///
///     options.around_requests.add([](partyline::request_context& rpc) {
///         const mcp::requester client(rpc);
///         count(client.client_info().name, rpc.method());
///     });
///
/// A requester may be copied, and may outlive the request.
/// Thread safety: as a `const` object.
class PARTYLINE_EXPORT requester {
public:
    /// The client of a request in a session of an `mcp::server`; of any other client nothing is known.
    explicit requester(const request_context& of);
    requester(const requester& other) noexcept;
    requester& operator=(const requester& other) noexcept;
    ~requester();

    /// How client and server have agreed on a revision.
    mcp::era era() const noexcept;
    /// The revision of the request.
    mcp::revision revision() const noexcept;
    /// The name and the version that the client gives; without a name where it gives none.
    const implementation& client_info() const noexcept;
    /// The capabilities that the client has declared; read anew each time.
    boost::json::object client_capabilities() const;

    // The questions that the client has declared to answer.

    /// Whether its user can be given forms: `context::elicit`.
    bool can_elicit() const noexcept;
    /// Whether its user can be asked to open pages: `context::elicit_url`.
    bool can_elicit_url() const noexcept;
    /// Whether its model can be asked: `context::sample`.
    bool can_sample() const noexcept;
    /// Whether its model can be offered tools.
    bool can_sample_with_tools() const noexcept;
    /// Whether its roots can be listed: `context::roots`.
    bool can_list_roots() const noexcept;

    /// The settings with which the client has declared an extension of the protocol (SEP-2133): in its handshake, from
    /// 2026-07-28 on with the request. Nothing where the client has not declared it, or not by an object. The result
    /// does not depend on whether the server has the extension in this revision. Searches the declared capabilities
    /// each time.
    std::optional<boost::json::object> extension(std::string_view name) const;
    /// Throws `missing_capability`, which names the extension, where the client has not declared it. From 2026-07-28 on
    /// the request is answered -32021; before that a tool's call fails, and any other request is answered -32602.
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
