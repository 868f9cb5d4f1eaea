#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/method_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

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
    /// The JSON Schema of its structured result, in place of that of the C++ type. Results are not checked against it.
    std::optional<json_text> output_schema = {};
    boost::json::object meta = {}; ///< `_meta`
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
