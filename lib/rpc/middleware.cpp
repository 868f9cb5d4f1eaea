#include <partyline/rpc/middleware.hpp>

#include "rpc/wrapped_handler.hpp"
#include "session/requests/error_replies.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>

#include <stdexcept>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace partyline {
namespace {

// The session's own bound is looked at when the result becomes a reply; this one is for the stack.
constexpr std::size_t max_depth = 10'000;

} // namespace

json::value request_result::to_value() &&
{
    if (json::value* const value = std::get_if<json::value>(&result_))
        return std::move(*value);
    return std::get<json_text>(result_).to_value();
}

json_text request_result::to_text() &&
{
    if (json_text* const text = std::get_if<json_text>(&result_))
        return std::move(*text);
    byte_buffer written;
    if (const std::optional<unwritable> problem = write_value(written, std::get<json::value>(result_), max_depth))
        throw rpc_error(unwritable_error(*problem));
    return json_text(std::string(written.view()));
}

task<request_result> next_handler::operator()()
{
    if (std::exchange(is_called_, true))
        throw std::logic_error("a middleware has its request served twice");
    return chain_.proceed(context_, params_, at_);
}

task<request_result> next_handler::operator()(const call_params& params)
{
    std::string text;
    if (params.append_to(text, limits().depth))
        throw std::invalid_argument("params are an array, an object or null");
    if (!is_called_) {
        replaced_ = std::move(text);
        params_ = json_view::checked(replaced_);
    }
    return (*this)();
}

std::optional<request_result> middleware::before(request_context&, json_view)
{
    return std::nullopt;
}

task<request_result> middleware::around(request_context&, json_view, next_handler& next)
{
    return next();
}

void request_middleware_list::add(const request_middleware_list& others)
{
    std::vector<std::shared_ptr<middleware>> more = others.all_; // which may be this one
    all_.insert(all_.end(), more.begin(), more.end());
}

void request_middleware_list::insert(std::shared_ptr<middleware> added)
{
    if (!added)
        throw std::invalid_argument("middleware: the function is empty");
    all_.push_back(std::move(added));
}

} // namespace partyline
