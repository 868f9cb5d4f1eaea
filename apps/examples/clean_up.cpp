// Cleaning up after work that ends in any way: by a result, an error, a cancel or the end of the session. Where the
// clean-up itself has to wait, a destructor is not enough.
//
//   mkfifo in; example-clean_up < in & exec 3> in
//   echo '{"jsonrpc":"2.0","id":1,"method":"measure","params":["laser",3600000]}' >&3
//   echo '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}' >&3

#include <partyline/partyline.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <set>
#include <string>

using partyline::request_context;
using partyline::rpc_error;
using partyline::task;

class laboratory {
public:
    task<double> measure(request_context& context, std::string device, int ms)
    {
        bool is_hot = false; // what the work has come to, for the clean-up; both end before this
        co_return co_await partyline::with_clean_up(use(context, device, ms, is_hot),
                                                    cool_down(context, device, is_hot));
    }

    const std::set<std::string>& in_use() const { return in_use_; }

private:
    // Acquires what is cleaned up: a cancel can't come in between.
    task<double> use(request_context& context, const std::string& device, int ms, bool& is_hot)
    {
        if (!in_use_.insert(device).second)
            throw rpc_error(-1, "The device is in use");
        is_hot = true;
        boost::asio::steady_timer work(context.get_executor(), std::chrono::milliseconds(ms));
        co_await work.async_wait(boost::asio::deferred); // a cancel ends this by an exception
        if (device == "sun")
            throw rpc_error(-2, "That is too hot");
        co_return 42;
    }

    // Runs in any case, and is not cancelled: it may wait, and tell and call the client.
    task<void> cool_down(request_context& context, const std::string& device, bool& is_hot)
    {
        if (!is_hot)
            co_return;
        boost::asio::steady_timer fan(context.get_executor(), std::chrono::milliseconds(10));
        co_await fan.async_wait(boost::asio::deferred);
        in_use_.erase(device);
        const auto told = partyline::args(device, context.cancelled() ? "cancelled" : "done");
        co_await context.notify("cooled_down", told);
    }

    std::set<std::string> in_use_;
};

int main()
{
    laboratory all;
    partyline::method_table methods;
    methods.add("measure", &laboratory::measure, &all, {"device", "ms"});
    methods.add("in_use", &laboratory::in_use, &all);
    return partyline::run_stdio(std::move(methods));
}
