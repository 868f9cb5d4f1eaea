#include "hash_files.hpp"

#include "pool_work.hpp"
#include "tool_error.hpp"
#include "tools/files/file_hash.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace tools {
namespace {

constexpr std::size_t lot_size = 8;

// What came of one file.
struct hash_outcome {
    hashed_file made;
    std::string why_not;
    bool was_stopped = false;
};

// On the pool: nothing may be thrown there.
class hash_work {
public:
    hash_work(const root_set& roots, const tool_limits& limits, std::string file)
        : roots_(&roots), limits_(&limits), file_(std::move(file))
    {
    }

    hash_outcome operator()(const stop_check& is_stopped) const
    {
        hash_outcome outcome;
        outcome.made.file = partyline::to_valid_utf8(file_);
        try {
            const place where = roots_->find(file_);
            file_reader reader(where.root->open_file(where.path), file_, limits_->file_bytes, is_stopped);
            file_hash hash = hash_file(reader);
            outcome.made.file = roots_->name_of(where);
            outcome.made.sha256 = std::move(hash.sha256);
            outcome.made.bytes = hash.bytes;
        } catch (const boost::system::system_error&) {
            outcome.was_stopped = true;
        } catch (const std::exception& failed) {
            outcome.why_not = partyline::exception_text(failed);
        }
        return outcome;
    }

private:
    const root_set* roots_;
    const tool_limits* limits_;
    std::string file_;
};

using hash_operation =
    decltype(run_on_pool(asio::any_io_executor(), asio::any_io_executor(), std::declval<hash_work>()));

void add_outcome(hash_result& result, hash_outcome outcome)
{
    if (outcome.was_stopped)
        throw_stopped();
    if (outcome.why_not.empty())
        result.hashes.push_back(std::move(outcome.made));
    else
        result.unreadable.push_back({std::move(outcome.made.file), std::move(outcome.why_not)});
}

void report_hashes(tool_progress& progress, std::size_t done, std::size_t total)
{
    progress.report(static_cast<double>(done), static_cast<double>(total),
                    std::to_string(done) + " of " + std::to_string(total) + " files hashed");
}

} // namespace

partyline::task<hash_result> hash_files(const root_set& roots, const tool_limits& limits, hash_arguments what,
                                        asio::any_io_executor pool, tool_progress& progress)
{
    const asio::any_io_executor home = co_await asio::this_coro::executor;
    hash_result result;
    for (std::size_t done = 0; done < what.files.size();) {
        if (progress.cancelled())
            throw_stopped();
        const std::size_t end = std::min(done + lot_size, what.files.size());
        std::vector<hash_operation> lot;
        for (; done < end; ++done)
            lot.push_back(run_on_pool(pool, home, hash_work(roots, limits, what.files[done])));
        auto all = asio::experimental::make_parallel_group(std::move(lot));
        const asio::experimental::wait_for_all every;
        auto ended = co_await all.async_wait(every, asio::deferred);
        for (hash_outcome& outcome : std::get<2>(ended))
            add_outcome(result, std::move(outcome));
        report_hashes(progress, done, what.files.size());
    }
    co_return result;
}

} // namespace tools
