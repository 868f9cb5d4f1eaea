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
    /// Takes the result as a value; one that has no JSON text is answered -32603.
    virtual void write(const boost::json::value& result) = 0;
    /// Takes the result as text that has been checked, such as params; null for an empty one.
    virtual void write(json_view result) = 0;
    /// Takes the result as text, which is checked first unless it came in a message.
    virtual void write(const json_text& result) = 0;
    /// Takes an error in place of a result. The request is answered as if the error had been thrown as an `rpc_error`,
    /// without the cost of an exception, which is more than that of most handlers. A writer that does not override this
    /// throws it.
    virtual void refuse(const error_object& error);

protected:
    ~result_writer() = default;
};

/// A user's function, type-erased, which the session runs for a request. The layer above makes these, see
/// method_table.hpp.
///
/// A handler throws `rpc_error` to answer with an error of its choice, or hands it to its `result_writer`; any other
/// exception is left to the session. A handler reads `params` before it returns from `call` or `start`: the text is
/// valid no longer. `context` is valid until the task has ended.
class PARTYLINE_EXPORT handler {
public:
    /// The ways to run a handler.
    enum class kind : std::uint8_t {
        plain, ///< `call` does it all, without the cost of a coroutine
        task   ///< `start` makes a task that hands its result on when it has ended
    };

    /// `takes_value`: see below; useful for methods that take their params as a `json::value`.
    explicit handler(kind how, bool takes_value = false) noexcept : how_(how), takes_value_(takes_value) {}
    virtual ~handler() = default;
    handler(const handler&) = delete;
    handler& operator=(const handler&) = delete;

    /// Whether `call` or `start` is called.
    kind how() const noexcept { return how_; }
    /// Whether the handler asks for `params.to_value()` first of all.
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
    /// The name that the method is called by; empty for a fallback.
    std::string name;
    /// The way to run the handler.
    method_options options;
    /// The handler; never null.
    std::unique_ptr<handler> target;
    /// Whether it is registered as a notification: a request for it is answered "Method not found".
    bool is_notification = false;
    /// Whether it stands for several methods that share the name: `dispatcher::select` finds by the params the one that
    /// a request is for.
    bool is_group = false;
};

/// The table in which a session looks up methods. The table does not change while sessions use it.
class PARTYLINE_EXPORT dispatcher {
public:
    virtual ~dispatcher() = default;

    /// The method to run for `name`, which may be a fallback; null when there is none.
    virtual const method* find(std::string_view name) const noexcept = 0;

    /// The method to run for a message, of those that `group` stands for: with its own executor, bounds and deadline.
    /// Returns `group` itself where none is meant; its handler can say so. The reader finds members of the params: see
    /// `message_reader::find_param`.
    virtual const method& select(const method& group, const message&, message_reader&) const noexcept { return group; }

    /// The name in the params of a message for `group`, for `access_view::judge`; empty where there is none. Throws
    /// `std::bad_alloc`.
    virtual std::string key(const method& group, const message&, message_reader&) const;
};

} // namespace partyline
