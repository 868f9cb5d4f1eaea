// Work that keeps a processor busy, on a pool of threads, so that the session goes on meanwhile.
//
//   partyline-call count_primes below=100000 -- example-pool
//   partyline-call sort 'words=["b","a"]' -- example-pool

#include <partyline/partyline.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using partyline::request_context;
using partyline::task;

bool is_prime(std::uint64_t n)
{
    for (std::uint64_t d = 2; d * d <= n; ++d)
        if (n % d == 0)
            return false;
    return n >= 2;
}

// A method all of which runs on the pool, for it is added with that executor. What computes can't be interrupted: it
// asks now and then whether anybody still wants the result.
std::uint64_t count_primes(request_context& context, std::uint64_t below)
{
    std::uint64_t count = 0;
    for (std::uint64_t n = 2; n < below; ++n) {
        if (n % 256 == 0)
            context.throw_if_cancelled();
        count += is_prime(n) ? 1 : 0;
    }
    return count;
}

// A method that runs where the session does, and goes to the pool for a part of its work. What its handlers share needs
// no mutex: of all that runs there one piece runs at a time, from one co_await to the next.
class sorter {
public:
    explicit sorter(boost::asio::any_io_executor pool) : pool_(std::move(pool)) {}

    task<std::vector<std::string>> sort(std::vector<std::string> words)
    {
        auto work = [words = std::move(words)]() mutable {
            std::ranges::sort(words);
            return std::move(words);
        };
        auto done = co_await partyline::on(pool_, std::move(work));
        total_ += done.size();
        co_return done;
    }

    std::size_t total() const { return total_; }

private:
    boost::asio::any_io_executor pool_;
    std::size_t total_ = 0;
};

int main()
{
    boost::asio::thread_pool pool(2); // joined when everything else has ended
    sorter mine(pool.get_executor());
    partyline::method_table methods;
    methods.add("count_primes", count_primes, {"below"}, {.executor = pool.get_executor(), .max_concurrent = 2});
    methods.add("sort", &sorter::sort, &mine, {"words"});
    methods.add("total", &sorter::total, &mine);
    return partyline::run_stdio(std::move(methods));
}
