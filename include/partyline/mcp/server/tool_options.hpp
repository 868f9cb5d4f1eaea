#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/middleware.hpp>
#include <partyline/session/method_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace partyline {

class request_context;

} // namespace partyline

namespace partyline::mcp {

/// How a server runs a tool, a resource's reading or a prompt. See `method_options`, of which these are some.
struct run_options {
    /// See `method_options::executor`.
    boost::asio::any_io_executor executor = {};
    /// See `method_options::max_concurrent`.
    std::size_t max_concurrent = 0;
    /// 0: none. A tool whose deadline is over has failed: "timed out after 30 s".
    std::chrono::steady_clock::duration deadline = std::chrono::steady_clock::duration::zero();
    /// See `method_options::exclusive`.
    bool exclusive = false;
    /// See `method_options::on_cancel`.
    cancelled_task on_cancel = cancelled_task::thrown_through;
    /// What its requests pass, after `server_options::around_requests`, which says more.
    request_middleware_list around_requests = {};
};

/// What is said of a tool besides its name, and how it is run. Hints that are not set are not sent; clients do not
/// trust them anyhow.
struct tool_options {
    std::optional<bool> read_only = {};   ///< it changes nothing
    std::optional<bool> destructive = {}; ///< it may undo or remove what is there; clients assume so
    std::optional<bool> idempotent = {};  ///< to call it once more changes nothing more
    std::optional<bool> open_world = {};  ///< it deals with more than this server has; clients assume so
    /// What people are shown in place of the name; left out when empty.
    std::string title = {};
    /// Left out when there are none.
    std::vector<icon> icons = {};
    /// How it is run.
    run_options run = {};
    /// The JSON Schema of its structured result, in place of that of the C++ type. Results are not checked against it,
    /// but by `mcp::test_client`.
    std::optional<json_text> output_schema = {};
    boost::json::object meta = {}; ///< `_meta`
};

/// A resource that a template has now: see `resource_options::list`.
struct listed_resource {
    std::string uri; ///< one of the template's; what needs it is percent-encoded
    /// What it is called; the URI when empty.
    std::string name = {};
    /// Left out when empty.
    std::string description = {};
    /// What people are shown in place of the name; left out when empty.
    std::string title = {};
    /// That of the template when empty.
    std::string mime_type = {};
    std::optional<std::uint64_t> size = {}; ///< in bytes, where it is known
    /// What a client may make of it; left out when it says nothing.
    mcp::annotations annotations = {};
};

/// The same of a resource or a template.
struct resource_options {
    /// What people are shown in place of the name; left out when empty.
    std::string title = {};
    /// As it is listed, unless it is empty; and that of what is read and has none of its own, such as a string.
    std::string mime_type = {};
    std::optional<std::uint64_t> size = {}; ///< in bytes, where it is known; not of a template
    /// What a client may make of it; left out when it says nothing.
    mcp::annotations annotations = {};
    /// Left out when there are none.
    std::vector<icon> icons = {};
    /// How it is read.
    run_options run = {};
    boost::json::object meta = {}; ///< `_meta`
    /// Of a template alone: which resources it has, for clients that list resources; empty: it lists none. They stand
    /// where the template was added, without those that were added by themselves. The function is called for each page,
    /// where the session runs, and by several threads at once where sessions have several; it does not wait, and
    /// returns them in the same order each time, since a page begins where the one before has ended. So lists of many
    /// thousands want a `server_options::page_size`, and a function that has them ready. `server::resources_changed`
    /// tells clients to ask again. A URI that the template does not fit, and an exception
    /// of the function, is an internal error.
    ///
    ///     listing.list = [](auto& asked_by) { return days_of(asked_by.peer().principal); };
    std::function<std::vector<listed_resource>(request_context& asked_by)> list = {};
};

/// The same of a prompt.
struct prompt_options {
    /// What people are shown in place of the name; left out when empty.
    std::string title = {};
    /// Left out when there are none.
    std::vector<icon> icons = {};
    /// How it is run.
    run_options run = {};
    boost::json::object meta = {}; ///< `_meta`
};

} // namespace partyline::mcp
