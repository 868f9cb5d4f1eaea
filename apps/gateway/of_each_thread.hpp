#pragma once

#include "gateway/end_of_thread.hpp"
#include "gateway/listed_tools.hpp"

#include <partyline/http/server.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace gateway {

/// One object for each thread that serves clients: nothing of them is shared on the way of a request, but what one
/// learns of tools all are told. Those of further threads are destroyed with the contexts of these; that of the first
/// thread, the context's, with this, after the server.
///
/// Thread safety: everything on the first thread, but `each` from any, once all were made.
template <class T>
class of_each_thread {
public:
    /// `make(server&, executor)` makes one, and adds it to the server of its thread. Once, before that runs.
    template <class Make>
    void add_to(partyline::http::server& http, const Make& make)
    {
        std::vector<std::shared_ptr<listed_tools>> tools;
        http.add_by_thread([&](partyline::http::server& of_thread, const boost::asio::any_io_executor& executor) {
            const std::shared_ptr<T> its = make(of_thread, executor);
            tools.push_back(its->tools());
            if (!all_.empty())
                keep_until_end(executor, its);
            all_.push_back({executor, its});
        });
        listed_tools::connect(tools);
    }

    /// All clients have gone: calls `end(T&, until_over)` for each on its thread. The context runs until each has let
    /// go of that.
    template <class End>
    void end(boost::asio::io_context& context, const End& end) const
    {
        using work = boost::asio::executor_work_guard<boost::asio::io_context::executor_type>;
        const auto until_over = std::make_shared<work>(context.get_executor());
        for (const member& one : all_)
            boost::asio::post(one.executor, [its = one.its, end, until_over] { end(*its, until_over); });
    }

    /// Calls `visit(T&)` for each, here.
    template <class Visit>
    void each(const Visit& visit) const
    {
        for (const member& one : all_)
            visit(*one.its);
    }

private:
    struct member {
        boost::asio::any_io_executor executor;
        std::shared_ptr<T> its;
    };

    std::vector<member> all_;
};

} // namespace gateway
