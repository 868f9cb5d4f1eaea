#pragma once

#include "support/child_process.hpp"
#include "support/mailbox.hpp"
#include "support/nats_server.hpp"

#include <partyline/fleet.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace partyline::test {

/// A thread that runs an `io_context`, until it goes out of scope.
class running_context {
public:
    running_context() : thread_([this] { context_.run(); }) {}
    ~running_context()
    {
        work_.reset();
        context_.stop();
        thread_.join();
    }
    boost::asio::any_io_executor executor() { return context_.get_executor(); }

private:
    boost::asio::io_context context_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{context_.get_executor()};
    std::thread thread_;
};

/// A bus and what it tells.
struct told_bus {
    explicit told_bus(std::string url, std::function<void(fleet::bus_options&)> change = {})
    {
        fleet::bus_options options;
        options.servers = {std::move(url)};
        options.on_connected = [to = connected] { to->put(true); };
        options.on_disconnected = [to = lost](std::string_view why) { to->put(std::string(why)); };
        options.on_problem = [to = problems](std::string_view what) { to->put(std::string(what)); };
        if (change)
            change(options);
        own.emplace(std::move(options));
    }

    std::shared_ptr<mailbox<bool>> connected = std::make_shared<mailbox<bool>>();
    std::shared_ptr<mailbox<std::string>> lost = std::make_shared<mailbox<std::string>>();
    std::shared_ptr<mailbox<std::string>> problems = std::make_shared<mailbox<std::string>>();
    std::optional<fleet::bus> own;
};

/// How a call has come back.
struct came_back {
    error_code failed;
    response reply;

    std::string text() const
    {
        if (failed)
            return failed.message();
        if (const error_object* const error = reply.error())
            return std::to_string(error->code) + " " + (error->data ? boost::json::serialize(*error->data) : "");
        return reply.value().text();
    }
};

/// A worker that runs, in a thread of its own, and what it serves.
class running_worker {
public:
    running_worker(const fleet::bus& by, std::shared_ptr<const method_table> methods,
                   fleet::worker_options options = {}, std::string service = "tools")
        : logged(std::make_shared<mailbox<std::string>>())
    {
        options.session.log = [to = logged](std::string_view line) { to->put(std::string(line)); };
        own.emplace(
            context_.executor(), by, std::move(service),
            [methods = std::move(methods)](session_options&) { return methods; }, std::move(options));
        own->async_run([to = ended](error_code how) { to->put(how); });
    }

    std::shared_ptr<mailbox<error_code>> ended = std::make_shared<mailbox<error_code>>();
    std::shared_ptr<mailbox<std::string>> logged;

private:
    running_context context_;

public:
    std::optional<fleet::worker> own;
};

/// Calls that a front makes, from the thread of the test.
class calling_front {
public:
    explicit calling_front(const fleet::bus& by, fleet::front_options options = {}, std::string service = "tools")
    {
        own.emplace(context_.executor(), by, std::move(service), std::move(options));
    }

    std::future<came_back> start(std::string method, std::string params = {},
                                 const std::function<void(fleet::fleet_call&)>& change = {})
    {
        fleet::fleet_call call;
        call.method = std::move(method);
        call.params = json_text(std::move(params));
        if (change)
            change(call);
        auto promise = std::make_shared<std::promise<came_back>>();
        own->call(std::move(call))(
            [promise](error_code failed, response reply) { promise->set_value({failed, std::move(reply)}); });
        return promise->get_future();
    }
    std::string call(std::string method, std::string params = {},
                     const std::function<void(fleet::fleet_call&)>& change = {})
    {
        return text_of(start(std::move(method), std::move(params), change));
    }
    /// Of a call that has to come back.
    static std::string text_of(std::future<came_back> of)
    {
        if (of.wait_for(patience * 3) != std::future_status::ready)
            throw std::runtime_error("a call did not come back");
        return of.get().text();
    }
    boost::asio::any_io_executor executor() { return context_.executor(); }

private:
    running_context context_;

public:
    std::optional<fleet::front> own;
};

} // namespace partyline::test
