#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/detail/task_root.hpp>
#include <partyline/session/method_options.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace partyline {

/// Takes the one result of a plain handler.
class PARTYLINE_EXPORT result_writer {
public:
    /// As a value; one that has no JSON text is answered -32603.
    virtual void write(const boost::json::value& result) = 0;
    /// As text that has been checked, such as params; null for an empty one.
    virtual void write(json_view result) = 0;
    /// As text, which is checked first unless it came in a message.
    virtual void write(const json_text& result) = 0;
    /// In place of a result: an error, which the request is answered with as if it had been thrown as an `rpc_error`;
    /// but that costs more than most handlers. One that knows no better throws it.
    virtual void refuse(const error_object& error);

protected:
    ~result_writer() = default;
};

/// A user's function, erased: what the session runs for a request. The layer above makes these, see method_table.hpp.
///
/// A handler throws `rpc_error` to answer with an error of its choice, or hands it to its `result_writer`; what any
/// other exception becomes is the session's affair. It reads `params` before it returns from `call` or `start`: the
/// text is valid no longer. `context` is valid until the task has ended.
class PARTYLINE_EXPORT handler {
public:
    /// How it is run.
    enum class kind : std::uint8_t {
        plain, ///< `call` does it all; no coroutine is paid for
        task   ///< `start` makes a task that hands its result on when it has ended
    };

    /// `takes_value`: see below; of some use with methods that take their params as a `json::value`.
    explicit handler(kind how, bool takes_value = false) noexcept : how_(how), takes_value_(takes_value) {}
    virtual ~handler() = default;
    handler(const handler&) = delete;
    handler& operator=(const handler&) = delete;

    /// Which of the two below is called.
    kind how() const noexcept { return how_; }
    /// Whether it asks for `params.to_value()` first of all.
    bool takes_value() const noexcept { return takes_value_; }

    /// Runs a plain handler and hands its result to `out`, once.
    virtual void call(request_context& context, json_view params, result_writer& out);
    /// Makes the task that serves a request; it has not begun.
    virtual detail::task_root start(request_context& context, json_view params);

private:
    kind how_;
    bool takes_value_;
};

/// A registered method.
struct method {
    /// The name that it is called by; of a fallback: empty.
    std::string name;
    /// How it is run.
    method_options options;
    /// What is run; never null.
    std::unique_ptr<handler> target;
    /// Registered as a notification: with an id it is answered "Method not found".
    bool is_notification = false;
    /// Stands for several that share the name: `dispatcher::select` tells by the params which one a request is for.
    bool is_group = false;
};

/// What a session looks methods up in. It does not change while sessions use it.
class PARTYLINE_EXPORT dispatcher {
public:
    virtual ~dispatcher() = default;

    /// The method to run for `name`, which may be a fallback; null when there is none.
    virtual const method* find(std::string_view name) const noexcept = 0;

    /// The method to run for a message, of those that `group` stands for: with its own executor, bounds and deadline.
    /// `group` itself where none is meant; its handler can say so. The reader finds what the params have: see
    /// `message_reader::find_param`.
    virtual const method& select(const method& group, const message&, message_reader&) const noexcept { return group; }

    /// What the params of a message for `group` name, for `access_view::judge`; empty where they name nothing. Throws
    /// `std::bad_alloc`.
    virtual std::string key(const method& group, const message&, message_reader&) const;
};

} // namespace partyline
