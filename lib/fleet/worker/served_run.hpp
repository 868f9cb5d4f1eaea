#pragma once

#include "async/keep_running.hpp"
#include "fleet/wire/item.hpp"
#include "session/conversation.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::fleet {

/// The answer to a request that has not begun to run; empty to anything else.
std::string unserved_reply(message_reader& reader, std::string_view request);

/// One run of a call: a conversation with one message in it.
///
/// Flow: `begin()`, once. Then the user is told of its output, each message for itself, and once of its end.
/// Ownership: the user's, until it lets go; then the context's, until the handlers have ended.
/// Thread safety: none; everything happens on one executor.
class served_run final : public std::enable_shared_from_this<served_run>,
                         private conversation::host,
                         private outlet::user {
public:
    class user {
    public:
        /// A message before the last.
        virtual void on_output(std::uint64_t run, std::string message) = 0;
        /// It has ended, with that message; an empty one: there is nothing to say.
        virtual void on_end(std::uint64_t run, std::string message) = 0;

    protected:
        ~user() = default;
    };

    served_run(std::uint64_t number, const boost::asio::any_io_executor& executor,
               std::shared_ptr<const dispatcher> methods, session_options options, user& told, message_reader& reader);
    ~served_run();

    void begin(item call);
    /// Its client wants no answer any more. It ends nevertheless.
    void cancel();
    /// The user is told no more, and its handlers are cancelled.
    void let_go() noexcept;

private:
    void take_output();
    void take_line(std::string line);
    void refuse_call(const message& m);
    void end();
    void end_unserved(const std::string& message);

    // outlet::user
    void on_taken(const message&, const message_reader&) override { is_taken_ = true; }
    void flush() override;

    // conversation::host
    void resume_reading() override {}
    void on_end(error_code result) noexcept override;

    const std::uint64_t number_;
    user* told_;             // null: nobody is
    message_reader& reader_; // the user's: not used when nobody is told
    const boost::asio::any_io_executor executor_;
    const std::shared_ptr<conversation> conversation_;
    keep_running life_; // keeps it while handlers are to end
    line_framing lines_;
    outlet* out_ = nullptr;
    std::string partial_; // of a line
    std::string reply_;
    bool is_taken_ = false;
    bool is_flushing_ = false;
    bool has_ended_ = false;
};

} // namespace partyline::fleet
