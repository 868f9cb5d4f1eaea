#pragma once

#include "http_fixture.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/value.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace partyline::test {

/// Plain JSON-RPC at /rpc, with methods that answer at once, or when the test lets them.
struct rpc_fixture : http_fixture {
    rpc_fixture()
    {
        methods.add("add", [](int a, int b) { return a + b; });
        methods.add("echo", [](boost::json::value params) { return params; });
        methods.add("wait", [this](request_context& own) { return wait(own); });
        methods.add("stop", [this](request_context& own) {
            served().stop();
            return wait(own);
        });
        methods.add("count", [this](request_context& own, int to) { return count(own, to); });
    }

    task<int> wait(request_context& own)
    {
        ++waiting;
        boost::asio::steady_timer timer(own.get_executor(), boost::asio::steady_timer::time_point::max());
        release = [&timer] { timer.cancel(); };
        try {
            co_await timer.async_wait(boost::asio::deferred);
        } catch (const boost::system::system_error&) { // released, or cancelled
        }
        --waiting;
        was_cancelled = own.cancelled();
        co_return 7;
    }

    task<int> count(request_context& own, int to)
    {
        for (int i = 1; i <= to; ++i)
            co_await own.progress(i);
        co_return to;
    }

    http_client begin()
    {
        if (port() == 0) {
            served().add_rpc("/rpc", std::move(methods));
            start();
        }
        return connect();
    }

    method_table methods;
    int waiting = 0;
    bool was_cancelled = false;
    std::function<void()> release; // what has begun to wait last

    static std::string call(int id, std::string_view method, std::string_view params = "[]")
    {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"method\":\"" + std::string(method) +
               "\",\"params\":" + std::string(params) + '}';
    }
    static std::string reply(int id, std::string_view result)
    {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"result\":" + std::string(result) + '}';
    }
};

} // namespace partyline::test
