#pragma once

#include <partyline/protocol/error.hpp>
#include <partyline/session/detail/task_root.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <any>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline {

/// A context without a session.
class lone_context final : public request_context {
public:
    explicit lone_context(boost::asio::any_io_executor executor = {}, binding_policy binding = {},
                          std::size_t max_depth = 128, request_id id = request_id(1))
        : executor_(std::move(executor)), binding_(binding), max_depth_(max_depth), id_(std::move(id))
    {
    }

    std::string_view method() const noexcept override { return "method"; }
    const request_id& id() const noexcept override { return id_; }
    bool cancelled() const noexcept override { return false; }
    bool stopping() const noexcept override { return false; }
    boost::asio::any_io_executor get_executor() const override { return executor_; }
    sending notify(std::string, call_params) override { return nothing(); }

private:
    static boost::asio::awaitable<void> nothing() { co_return; }
    std::any& session_user_data() noexcept override { return user_data_; }
    attachments& attached_values() override { return attached_; }
    sending tell_progress(const boost::json::value&) override { return nothing(); }

    binding_policy binding() const noexcept override { return binding_; }
    std::size_t max_depth() const noexcept override { return max_depth_; }

    boost::asio::any_io_executor executor_;
    binding_policy binding_;
    std::size_t max_depth_;
    request_id id_;
    std::any user_data_;
    attachments attached_;
};

/// Keeps the text of a plain handler's result.
class result_recorder final : public result_writer {
public:
    void write(const boost::json::value& result) override { record("value", boost::json::serialize(result)); }
    void write(json_view result) override { record("view", std::string(result.text())); }
    void write(const json_text& result) override { record("text", result.text()); }

    std::string text;
    std::string how;
    int count = 0;

private:
    void record(const char* overload, std::string result)
    {
        ++count;
        how = overload;
        text = std::move(result);
    }
};

inline task<void> serve(detail::task_root root, const request_context& context, result_writer& out)
{
    co_await root;
    root.deliver(context, out);
}

/// Runs a handler of any kind as a session would and gives its result as JSON text; lets out what it throws.
inline std::string run(handler& target, std::string_view params, binding_policy binding = {})
{
    boost::asio::io_context io;
    lone_context context(io.get_executor(), binding);
    // Gone as soon as the handler has been started, and scribbled over, as the text of a message is.
    std::string text(params);
    const json_view view = params.empty() ? json_view() : json_view::checked(text);

    if (target.how() == handler::kind::plain) {
        result_recorder out;
        target.call(context, view, out);
        return out.count == 1 ? out.text : "results: " + std::to_string(out.count);
    }
    result_recorder out;
    std::exception_ptr thrown;
    co_spawn(io.get_executor(), serve(target.start(context, view), context, out),
             [&](std::exception_ptr error) { thrown = std::move(error); });
    text.assign(text.size(), '#');
    io.run();
    if (thrown)
        std::rethrow_exception(thrown);
    return out.count == 1 ? out.text : "results: " + std::to_string(out.count);
}

/// The `data` of the -32602 that refuses these params; says what came instead.
inline boost::json::value refusal(handler& target, std::string_view params)
{
    try {
        return boost::json::value("accepted: " + run(target, params));
    } catch (const rpc_error& error) {
        if (error.error().code != error_codes::invalid_params || error.error().message != "Invalid params")
            return boost::json::value("another error");
        return error.error().data.value_or(nullptr);
    }
}

/// How errors describe themselves.
inline boost::json::value mismatch(boost::json::value parameter, std::string_view expected, std::string_view got)
{
    boost::json::object data{{"expected", boost::json::value(expected)}, {"got", boost::json::value(got)}};
    if (!parameter.is_null())
        data["parameter"] = std::move(parameter);
    return data;
}

/// How several of them describe themselves, of one request.
inline boost::json::value mismatches(const std::vector<boost::json::value>& problems)
{
    boost::json::object data = problems.front().as_object();
    data["others"] = boost::json::array(problems.begin() + 1, problems.end());
    return data;
}

} // namespace partyline
