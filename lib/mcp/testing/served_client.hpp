#pragma once

#include "mcp/client/client_core.hpp"
#include "mcp/client/operation.hpp"
#include "mcp/testing/keyed_answers.hpp"
#include "mcp/testing/message_log.hpp"
#include "testing/test_loop.hpp"

#include <partyline/mcp/testing/test_client.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// What a test client has seen and is to say. Operations that outlive it have it, too.
struct test_records {
    std::shared_ptr<keyed_answers> answers = std::make_shared<keyed_answers>();
    message_log messages;
    std::vector<log_entry> logged;
    std::vector<seen_progress> progress;
    seen_changes changes;
    std::multiset<std::string> in_flight; // what operations do
};

/// A server's session and its client over a pair of memory streams, and the loop that runs them.
///
/// The client is a core without the handle, since questions for roots have no handler there, and are told no key.
class served_client : public std::enable_shared_from_this<served_client> {
public:
    served_client(const mcp::server& of, mcp::era how, test_client_options options);
    ~served_client();

    /// The handshake. Before anything else, once this is shared.
    void start();

    template <class T>
    using operation_ptr = std::shared_ptr<detail::typed_test_operation<T>>;

    /// Starts something; `what` is its name where it fails.
    template <class T>
    operation_ptr<T> begin(std::string what, task<T> work)
    {
        const auto made = std::make_shared<detail::typed_test_operation<T>>(weak_from_this(), std::move(what));
        launch(made, std::move(work));
        return made;
    }
    /// The same of what progress may be told about: `make` gets the hooks that record it. `of` is what it is called
    /// there.
    template <class T, class Make>
    operation_ptr<T> begin_call(std::string method, std::string of, call_hooks hooks, Make make)
    {
        std::string what = std::move(method) + (of.empty() ? "" : " \"" + of + '"');
        const auto made = std::make_shared<detail::typed_test_operation<T>>(weak_from_this(), std::move(what));
        record_progress(hooks, made, std::move(of));
        launch(made, make(std::move(hooks)));
        return made;
    }
    template <class T>
    T run(std::string what, task<T> work)
    {
        const operation_ptr<T> begun = begin(std::move(what), std::move(work));
        wait_for(*begun);
        return std::move(*begun->outcome).value();
    }

    void wait_for(const detail::test_operation& operation);
    void run_until(const std::function<bool()>& predicate);
    void run_until_idle();
    error_code end();

    partyline::test::test_loop loop;
    const std::shared_ptr<client_core>& client() const noexcept { return client_; }
    test_records& records() noexcept { return *records_; }

private:
    template <class T>
    void launch(const operation_ptr<T>& made, task<T> work)
    {
        const auto place = records_->in_flight.insert(made->what());
        operation_of(client_->get_executor(), std::move(work))(boost::asio::bind_cancellation_slot(
            made->slot(), [made, place, all = records_](error_code, call_result<T> outcome) {
                all->in_flight.erase(place);
                made->outcome.emplace(named(std::move(outcome), made->what()));
            }));
    }
    template <class T>
    static call_result<T> named(call_result<T> outcome, const std::string& what)
    {
        if (!outcome.code())
            return outcome;
        return typename call_result<T>::failure{outcome.code(),
                                                what + (outcome.details().empty() ? "" : ": ") + outcome.details()};
    }

    session make_server(const mcp::server& of, memory_stream over, session_options options) const;
    std::shared_ptr<client_core> make_client(memory_stream over, mcp::era era, client_options how) const;
    void set_handlers(client_handlers& to, const test_client_options& options) const;
    void record_progress(call_hooks& hooks, const std::shared_ptr<detail::test_operation>& about, std::string of) const;
    bool has_ended() const noexcept { return *server_ending_ && client_->has_ended(); }
    void throw_failure() const;
    [[noreturn]] void throw_timed_out(const std::string& what) const;

    const std::shared_ptr<test_records> records_ = std::make_shared<test_records>();
    std::pair<memory_stream, memory_stream> ends_; // moved into the sessions
    session server_;
    const std::shared_ptr<client_core> client_;
    const std::shared_ptr<std::optional<error_code>> server_ending_ = std::make_shared<std::optional<error_code>>();
};

} // namespace partyline::mcp
