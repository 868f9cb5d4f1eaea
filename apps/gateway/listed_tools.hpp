#pragma once

#include <partyline/mcp/mirrored_arguments.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/json/value.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gateway {

/// What a server's list of tools says of them, once it was asked for that. Each thread has such an object, and what one
/// learns all are told.
///
/// Thread safety: everything on the executor, but `connect`.
class listed_tools : public std::enable_shared_from_this<listed_tools> {
public:
    explicit listed_tools(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

    /// Those of all threads tell each other, from now on. Before any is used.
    static void connect(const std::vector<std::shared_ptr<listed_tools>>& all);

    /// Whether nothing is known of any.
    bool is_empty() const noexcept { return tools_.empty(); }
    /// `tools/list` was answered so. Of a tool whose name has more than 1 KiB it notes nothing.
    void note_list(const partyline::json_text& result);
    /// Which arguments of a tool clients over HTTP repeat in fields (2026-07-28). Empty where there are none, or none
    /// are known.
    partyline::mcp::mirrored_arguments mirrored(std::string_view tool) const;
    /// Whether a call of it may run twice: it only reads, or a second call changes nothing. False where that is not
    /// known.
    bool is_idempotent(std::string_view tool) const;

private:
    using others = std::vector<std::weak_ptr<listed_tools>>;
    struct traits {
        partyline::mcp::mirrored_arguments mirrored;
        bool is_idempotent = false;

        bool operator==(const traits&) const = default;
    };
    static traits traits_of(const boost::json::value& tool);
    bool take(const partyline::json_text& result);
    bool take_tool(std::string_view name, traits its);

    boost::asio::any_io_executor executor_;
    std::shared_ptr<const others> all_;                // of all threads; null: there is one
    std::map<std::string, traits, std::less<>> tools_; // that differ from what is assumed of any
};

} // namespace gateway
