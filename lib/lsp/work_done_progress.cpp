#include <partyline/lsp/work_done_progress.hpp>

#include <partyline/lsp/client_info.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>

#include <mutex>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::lsp {
namespace {

void add(json::object& value, std::string message, std::optional<unsigned> percentage)
{
    if (percentage && *percentage > 100)
        throw std::invalid_argument("a percentage is 0 to 100, and got " + std::to_string(*percentage));
    if (!message.empty())
        value["message"] = std::move(message);
    if (percentage)
        value["percentage"] = *percentage;
}

} // namespace

json::value begin_value(std::string title)
{
    return begin_value(std::move(title), work_details());
}

json::value begin_value(std::string title, const work_details& details)
{
    json::object value{{"kind", "begin"}, {"title", std::move(title)}};
    add(value, details.message, details.percentage);
    if (details.is_cancellable)
        value["cancellable"] = true;
    return value;
}

json::value report_value(std::string message, std::optional<unsigned> percentage)
{
    json::object value{{"kind", "report"}};
    add(value, std::move(message), percentage);
    return value;
}

json::value end_value(std::string message)
{
    json::object value{{"kind", "end"}};
    add(value, std::move(message), {});
    return value;
}

void work_done_progress::expect(stage is, stage expected)
{
    if (is != expected)
        throw std::logic_error("progress of work begins once, is reported after that, and ends once");
}

sending work_done_progress::begin(std::string title)
{
    return begin(std::move(title), work_details());
}

sending work_done_progress::begin(std::string title, const work_details& details)
{
    expect(stage_, stage::before);
    json::value value = begin_value(std::move(title), details);
    stage_ = stage::under_way;
    return context_.progress(std::move(value));
}

sending work_done_progress::report(std::string message, std::optional<unsigned> percentage)
{
    expect(stage_, stage::under_way);
    return context_.progress(report_value(std::move(message), percentage));
}

sending work_done_progress::end(std::string message)
{
    expect(stage_, stage::under_way);
    stage_ = stage::over;
    return context_.progress(end_value(std::move(message)));
}

/// Whether the client's user has cancelled, and who is to know.
class created_progress::cancel_state {
public:
    bool is_cancelled()
    {
        const std::lock_guard lock(mutex_);
        return is_cancelled_;
    }
    void cancel()
    {
        std::unique_lock lock(mutex_);
        is_cancelled_ = true;
        tell(lock);
    }
    void on_cancel(std::function<void()> told)
    {
        std::unique_lock lock(mutex_);
        told_ = std::move(told);
        if (is_cancelled_)
            tell(lock);
    }

private:
    void tell(std::unique_lock<std::mutex>& lock)
    {
        const std::function<void()> told = std::exchange(told_, {});
        lock.unlock();
        if (told)
            told();
    }

    std::mutex mutex_;
    bool is_cancelled_ = false;
    std::function<void()> told_;
};

created_progress::created_progress(caller& session)
    : session_(&session), client_(client_info::of(session)), cancel_(std::make_shared<cancel_state>())
{
}

created_progress::created_progress(created_progress&& other) noexcept
    : session_(other.session_), client_(std::move(other.client_)), token_(std::exchange(other.token_, {})),
      cancel_(std::move(other.cancel_)), stage_(other.stage_)
{
}

created_progress::~created_progress()
{
    if (!token_.empty())
        client_->unwatch(token_);
}

bool created_progress::cancelled() const
{
    return cancel_->is_cancelled();
}

void created_progress::on_cancel(std::function<void()> told)
{
    cancel_->on_cancel(std::move(told));
}

asio::awaitable<created_progress> created_progress::create(caller& session)
{
    created_progress created(session);
    client_info& to = *created.client_;
    if (!to.has_capability("window.workDoneProgress"))
        co_return created;
    std::string token = to.next_token();
    json::object params;
    params["token"] = token;
    // The client may cancel as soon as it has the token.
    to.watch(token, [state = created.cancel_] { state->cancel(); });
    created.token_ = std::move(token);
    auto asked = session.call("window/workDoneProgress/create", std::move(params))(asio::as_tuple(asio::use_awaitable));
    auto [failed, reply] = co_await std::move(asked);
    if (!failed && !reply.error())
        co_return created;
    to.unwatch(std::exchange(created.token_, {}));
    co_return created;
}

asio::awaitable<void> created_progress::begin(std::string title)
{
    return begin(std::move(title), work_details());
}

asio::awaitable<void> created_progress::begin(std::string title, const work_details& details)
{
    work_done_progress::expect(stage_, work_done_progress::stage::before);
    json::value value = begin_value(std::move(title), details);
    stage_ = work_done_progress::stage::under_way;
    return tell(std::move(value));
}

asio::awaitable<void> created_progress::report(std::string message, std::optional<unsigned> percentage)
{
    work_done_progress::expect(stage_, work_done_progress::stage::under_way);
    return tell(report_value(std::move(message), percentage));
}

asio::awaitable<void> created_progress::end(std::string message)
{
    work_done_progress::expect(stage_, work_done_progress::stage::under_way);
    stage_ = work_done_progress::stage::over;
    return tell(end_value(std::move(message)));
}

asio::awaitable<void> created_progress::tell(json::value value)
{
    if (!is_heard())
        co_return;
    json::object params;
    params["token"] = token_;
    params["value"] = std::move(value);
    auto sent = session_->notify("$/progress", std::move(params))(asio::as_tuple(asio::use_awaitable));
    co_await std::move(sent);
}

} // namespace partyline::lsp
