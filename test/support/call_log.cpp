#include "support/call_log.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/json/serialize.hpp>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

std::string in_words(error_code failed, const response& reply)
{
    if (failed)
        return "failed: " + failed.message();
    if (reply.error())
        return "error " + std::to_string(reply.error()->code);
    return reply ? "result " + reply->text() : "failed without a code";
}

} // namespace

call_log::entry& call_log::add(call_options& options)
{
    entry& made = entries_.emplace_back();
    if (options.on_progress()) { // wanted: it is we who listen
        options.on_progress([this, &made](const json::value& value) {
            made.progress += "progress " + json::serialize(value) + "|";
            has_late_progress_ |= made.times != 0;
        });
    }
    return made;
}

void call_log::end(entry& of, std::string text)
{
    ++of.times;
    ++completions_;
    of.text = std::move(text);
}

std::size_t call_log::call(caller& from, std::string method, call_params params, call_options options)
{
    entry& made = add(options);
    from.call(std::move(method), std::move(params), std::move(options))(asio::bind_cancellation_slot(
        made.cancel.slot(), [this, &made](error_code failed, response reply) { end(made, in_words(failed, reply)); }));
    return entries_.size() - 1;
}

std::size_t call_log::notify(caller& from, std::string method, call_params params)
{
    call_options none;
    entry& made = add(none);
    from.notify(std::move(method), std::move(params))(
        asio::bind_cancellation_slot(made.cancel.slot(), [this, &made](error_code failed, auto) {
            end(made, failed ? "failed: " + failed.message() : "sent");
        }));
    return entries_.size() - 1;
}

std::size_t call_log::batch(caller& from, call_batch calls, call_options options)
{
    entry& made = add(options);
    const auto done = [this, &made](error_code failed, const call_result<std::vector<response>>& replies) {
        std::string text = failed ? "failed: " + failed.message() : "replies";
        if (replies)
            for (const response& one : *replies)
                text += '|' + in_words(one.code(), one);
        end(made, std::move(text));
    };
    from.batch(std::move(calls), std::move(options))(asio::bind_cancellation_slot(made.cancel.slot(), done));
    return entries_.size() - 1;
}

void call_log::cancel(std::size_t number)
{
    entries_[number].cancel.emit(asio::cancellation_type::total);
}

std::vector<std::string> call_log::texts() const
{
    std::vector<std::string> all;
    for (const entry& of : entries_)
        all.push_back(of.progress + (of.times == 1 ? of.text : "told " + std::to_string(of.times) + " times"));
    return all;
}

} // namespace partyline::test
