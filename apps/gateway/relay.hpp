#pragma once

#include "command_line/observer.hpp"
#include "gateway/attached_client.hpp"
#include "gateway/relay_methods.hpp"
#include "gateway/relay_profile.hpp"

#include <partyline/session/session_link.hpp>
#include <partyline/session/task.hpp>

#include <boost/json/value.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace gateway {

class upstream;

/// Connects one client's conversation to a server: the requests and notifications of either side go to the other one,
/// with the same params and results, byte by byte. Each side's session has its own ids and progress tokens. A client
/// whose rights are limited (`session_options::access`) reaches, and sees in lists, what it may call.
///
/// Ownership: the client's conversation keeps it, as its methods, or who has it serve a part of that conversation. A
/// server that is this client's own ends with it.
/// Thread safety: everything on the executor of the client's session.
class relay final : public attached_client, public std::enable_shared_from_this<relay> {
public:
    relay(protocol speaks, std::shared_ptr<upstream> server);
    ~relay();

    /// One for requests of a conversation that has this profile, and methods of others. It begins to use the server.
    static std::shared_ptr<relay> within(std::shared_ptr<relay_profile> conversation, std::shared_ptr<upstream> server);
    /// Passes a request or notification on. The relay outlives the task.
    partyline::task<partyline::json_text> forward(partyline::request_context& context, partyline::json_text params);

    /// The methods that serve the conversation, and its profile.
    static std::shared_ptr<const partyline::dispatcher> methods_of(const std::shared_ptr<relay>& one);
    const partyline::profile& profile() const noexcept { return *profile_; }

    void close_session() override;
    void tell(const std::string& method, const partyline::json_text& params, const receipt& kept) override;
    void tell_in(std::uint64_t request, const std::string& method, const partyline::json_text& params,
                 const receipt& kept) override;

private:
    using json_text = partyline::json_text;
    using number = std::uint64_t; // of a request that is being forwarded
    class opened;

    relay(std::shared_ptr<relay_profile> of, std::shared_ptr<upstream> server);

    static partyline::method_table make_methods(const std::shared_ptr<relay>& one);
    partyline::task<json_text> forward_notification(std::string method, json_text params);
    /// As they are sent to the server, but for the trace; throws `rpc_error` for what is not.
    json_text sent_params(partyline::request_context& context, json_text params) const;
    void note_greeted(const json_text& result);
    /// With the trace that the server is told, where it is; that of the call where somebody observes it.
    json_text traced_params(partyline::request_context& context, json_text params,
                            const command_line::observed_call* observed) const;
    json_text seen_result(const partyline::request_context& context, const opened& open, json_text result) const;
    void cancel(std::string_view key);
    std::string_view token_of(const json_text& params) const;
    partyline::task<> announce(opened& open, const json_text& params);
    partyline::call_options options_for(number of, const json_text& params);
    void tell_progress(number of, const boost::json::value& value);
    /// The client sees other lists: it is told as if the server had changed them.
    void tell_other_lists();
    void start_ask(std::string method, json_text params, call_completion::handler done) override;
    /// The request that came last, so that the message is sent in the answer to that; without one the session.
    partyline::caller& way(partyline::live_session& session);

    std::shared_ptr<relay_profile> profile_; // of the conversation
    std::shared_ptr<upstream> server_;
    std::map<number, opened*> open_;
    std::map<std::string_view, opened*> by_key_; // the same, by the id at the client
    number last_ = 0;
    bool is_greeted_ = false; // the client has begun a session of its own (up to 2025-11-25)
};

} // namespace gateway
