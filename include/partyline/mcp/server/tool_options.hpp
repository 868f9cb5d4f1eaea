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
    /// The deadline; 0: none. The call of a tool whose deadline is over fails: "timed out after 30 s".
    std::chrono::steady_clock::duration deadline = std::chrono::steady_clock::duration::zero();
    /// See `method_options::exclusive`.
    bool exclusive = false;
    /// See `method_options::on_cancel`.
    cancelled_task on_cancel = cancelled_task::thrown_through;
    /// The middleware of its requests, after that of `server_options::around_requests`; see there.
    request_middleware_list around_requests = {};
};

/// Facts about a tool besides its name and description, and the options of its calls. Hints that are not set are not
/// sent; clients do not trust them anyhow.
struct tool_options {
    std::optional<bool> read_only = {};   ///< it changes nothing
    std::optional<bool> destructive = {}; ///< it may undo or remove existing data; clients assume so
    std::optional<bool> idempotent = {};  ///< to call it once more changes nothing more
    std::optional<bool> open_world = {};  ///< it deals with more than this server has; clients assume so
    /// The title that people are shown in place of the name; left out when empty.
    std::string title = {};
    /// The icons; left out when there are none.
    std::vector<icon> icons = {};
    /// The options of its calls.
    run_options run = {};
    /// The JSON Schema of its structured result, in place of that of the C++ type. Results are not checked against it,
    /// but by `mcp::test_client`.
    std::optional<json_text> output_schema = {};
    boost::json::object meta = {}; ///< `_meta`
};

/// A resource that a template has now: see `resource_options::list`.
struct listed_resource {
    std::string uri; ///< one of the template's, percent-encoded where necessary
    /// The name; the URI when empty.
    std::string name = {};
    /// The description; left out when empty.
    std::string description = {};
    /// The title that people are shown in place of the name; left out when empty.
    std::string title = {};
    /// The media type; that of the template when empty.
    std::string mime_type = {};
    std::optional<std::uint64_t> size = {}; ///< in bytes, where it is known
    /// Hints for clients; left out when empty.
    mcp::annotations annotations = {};
};

/// The options of a resource or a template.
struct resource_options {
    /// The title that people are shown in place of the name; left out when empty.
    std::string title = {};
    /// The media type, which is listed unless it is empty, and which contents get that have none of their own, such as
    /// a string.
    std::string mime_type = {};
    std::optional<std::uint64_t> size = {}; ///< in bytes, where it is known; not of a template
    /// Hints for clients; left out when empty.
    mcp::annotations annotations = {};
    /// The icons; left out when there are none.
    std::vector<icon> icons = {};
    /// The options of reading it.
    run_options run = {};
    boost::json::object meta = {}; ///< `_meta`
    /// For a template alone: returns its resources, for clients that list resources; empty: the template lists none.
    /// The resources stand in the list where the template was added, without those that were added by themselves. The
    /// function is called for each page, on the session's executor, and by several threads at once where sessions have
    /// several; it does not wait, and returns the resources in the same order each time, since a page begins where the
    /// one before has ended. So lists of many thousands need a `server_options::page_size`, and a function that has
    /// them ready. `server::resources_changed` tells clients to ask again. A URI that does not fit the template, and an
    /// exception of the function, are internal errors.
    ///
    ///     listing.list = [](auto& asked_by) { return days_of(asked_by.peer().principal); };
    std::function<std::vector<listed_resource>(request_context& asked_by)> list = {};
};

/// The options of a prompt.
struct prompt_options {
    /// The title that people are shown in place of the name; left out when empty.
    std::string title = {};
    /// The icons; left out when there are none.
    std::vector<icon> icons = {};
    /// The options of its calls.
    run_options run = {};
    boost::json::object meta = {}; ///< `_meta`
};

} // namespace partyline::mcp
