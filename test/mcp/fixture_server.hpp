#pragma once

#include "support/server_process.hpp"

#include <partyline/mcp/revision.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <map>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

inline constexpr mcp::revision all_revisions[] = {mcp::revision::v2024_11_05, mcp::revision::v2025_03_26,
                                                  mcp::revision::v2025_06_18, mcp::revision::v2025_11_25,
                                                  mcp::revision::v2026_07_28};
inline constexpr mcp::revision legacy = mcp::newest_legacy;
inline constexpr mcp::revision modern = mcp::newest_modern;

/// A conversation with the fixture server. All that is read here, but not by `read_line()`, is checked against the
/// schema of its revision: that of the request that the message belongs to.
class fixture_server : public server_process {
public:
    using server_process::here;

    explicit fixture_server(std::vector<std::string> options = {});
    /// With the handshake of the revision, if that has one.
    explicit fixture_server(mcp::revision r, std::vector<std::string> options = {});

    /// What the client says that it can do.
    boost::json::object capabilities{
        {"sampling", boost::json::object()}, {"elicitation", boost::json::object()}, {"roots", boost::json::object()}};
    /// What it says besides, in `_meta` of each modern request.
    boost::json::object more_meta;

    void greet(mcp::revision r);

    /// Sends a request; `id` is its text. A modern one says its revision and what the client can do.
    void request(std::string_view id, mcp::revision r, std::string_view method, std::string_view params = "{}");
    void call(std::string_view id, mcp::revision r, std::string_view tool, std::string_view arguments = "{}");
    /// A request with this id is on its way, however it was sent.
    void note_request(std::string_view id, mcp::revision r, std::string_view method);
    /// A request that is sent as it stands.
    void send_raw(std::string_view id, mcp::revision r, std::string_view method, std::string_view line);
    void cancel(std::string_view id);
    void answer(const boost::json::object& asked, std::string_view result);

    /// The next message.
    boost::json::object read(here at = here::current());
    boost::json::array read_batch(here at = here::current());
    /// All that comes up to the answer to `id`, which is the last.
    std::vector<boost::json::object> read_until(std::string_view id, here at = here::current());
    /// The next message, which is the answer to `id`.
    boost::json::object read_answer(std::string_view id, here at = here::current());
    boost::json::object read_result(std::string_view id, here at = here::current());
    boost::json::object read_error(std::string_view id, int code, here at = here::current());

    /// Nothing has been said: a request that is sent now is answered next.
    void expect_quiet(here at = here::current());
    /// Closes the input; the server says nothing more, and ends so.
    void finish(int exit_code = 0, here at = here::current());

private:
    struct open_request {
        mcp::revision r;
        std::string method;
    };

    boost::json::object checked(boost::json::object message, here at);
    mcp::revision revision_of(const boost::json::object& message, const open_request& asked) const;
    boost::json::object with_meta(boost::json::object params, mcp::revision r);

    std::map<std::string, open_request> open_; // by the text of the id
    std::map<std::string, mcp::revision> tokens_;
    mcp::revision session_ = modern; // that of the handshake, if there was one
    int probes_ = 0;
};

/// The texts of a tool's result, a line each.
std::string text_of(const boost::json::object& result);
bool is_tool_error(const boost::json::object& result);
/// The members of `params` in one more object: `{"name":...,"arguments":...}`.
std::string call_params(std::string_view tool, std::string_view arguments);

} // namespace partyline::test
