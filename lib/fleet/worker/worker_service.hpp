#pragma once

#include "async/keep_running.hpp"
#include "fleet/bus/bus_core.hpp"
#include "fleet/channel/channel_table.hpp"
#include "fleet/due_timer.hpp"
#include "fleet/told_totals.hpp"
#include "fleet/worker/queue_setup.hpp"
#include "fleet/worker/served_run.hpp"
#include "fleet/worker/worker_core.hpp"
#include "server/log_throttle.hpp"

#include <partyline/fleet/worker_options.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::fleet {

/// What a `worker` is a handle of: the rules, and what they need of the bus, of time and of conversations.
///
/// Flow: `prepare()`, `run()`, each once; `close()`, `stop()`.
/// Ownership: the worker's, and while it runs the executor's.
/// Thread safety: public functions from any thread; everything else happens on the executor.
class worker_service final : public std::enable_shared_from_this<worker_service>,
                             private inbox::receiver,
                             private served_run::user,
                             private channel_table::user {
public:
    using run_handler = boost::asio::any_completion_handler<void(error_code)>;

    worker_service(boost::asio::any_io_executor executor, std::shared_ptr<bus_core> by, std::string service,
                   served_methods methods, worker_options options);

    void prepare();
    void run(run_handler done);
    void close();
    void stop() noexcept;
    worker_totals counters() const { return totals_.last(); }

private:
    using time_point = std::chrono::steady_clock::time_point;
    enum class phase : std::uint8_t { idle, running, closing, ended };

    // inbox::receiver
    void on_events(std::vector<bus_event> all) noexcept override;
    void on_event(const kept_message& message);
    void on_event(const bus_connected& is);
    void on_event(const bus_disconnected&);

    // served_run::user
    void on_output(std::uint64_t run, std::string message) override;
    void on_end(std::uint64_t run, std::string message) override;

    // channel_table::user
    void publish_now(std::vector<publication> all) override { bus_->publish(all); }
    void on_channel_end(std::uint64_t number) override;
    void on_due_changed() override { wait(); }

    void begin(run_handler done);
    void attach();
    void set_up();
    void set_up_after(std::chrono::milliseconds pause);
    void drain();
    void end(error_code result) noexcept;
    void on_time();

    void carry_out();
    void carry_out(publication& one) { unsent_.push_back(std::move(one)); }
    void carry_out(run_started& one);
    void carry_out(session_wanted& one);
    void carry_out(const run_cancelled& one);
    void carry_out(const item_refused& one);
    void carry_out(const pulls_ended&);
    void carry_out(const queue_missed&);
    void carry_out(const worker_drained&);
    std::shared_ptr<served_run> make_run(std::uint64_t run, const item& call);
    void answer_unserved(std::uint64_t run, const item& call);
    std::shared_ptr<const dispatcher> make_methods(const item& call, session_options& its);
    bool open_session(std::uint64_t run, const item& opening);
    void publish();
    void wait();
    void tell_totals();
    void log(const std::string& line) const noexcept;
    void log_failure(const char* what, const std::exception& why) noexcept;

    const boost::asio::any_io_executor executor_;
    const std::shared_ptr<bus_core> bus_;
    const std::string service_;
    const served_methods methods_;
    const worker_options options_;
    const std::string name_;
    worker_core core_;
    queue_setup setup_;
    message_reader reader_;
    std::shared_ptr<inbox> inbox_;
    due_timer timer_;
    std::optional<time_point> set_up_again_; // while the queue is not there
    bool is_new_connection_ = false;         // until its queue is there
    std::size_t max_payload_ = 0;            // of the server; 0: not known
    std::string last_log_;
    log_throttle failures_;
    log_throttle refusals_;
    keep_running life_;
    std::optional<run_handler> done_;
    phase phase_ = phase::idle;
    bool is_carrying_out_ = false;
    bool is_drained_ = false;
    std::map<std::uint64_t, std::shared_ptr<served_run>> runs_;
    channel_table channels_;
    std::vector<publication> unsent_; // of the effects that are carried out
    told_totals<worker_totals> totals_;
};

} // namespace partyline::fleet
