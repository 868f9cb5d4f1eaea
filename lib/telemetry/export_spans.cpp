#include "telemetry/spans/export_rules.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/telemetry/span_writer.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline::telemetry {
namespace {

// Exports payload after payload, one at a time.
//
// Flow: waits until one is due, sends it, up to three times with a pause before each further attempt, and waits again.
// Thread safety: everything on the executor, which is serial.
class span_exporter : public std::enable_shared_from_this<span_exporter> {
public:
    span_exporter(asio::any_io_executor executor, std::shared_ptr<span_writer> from, document_sender send,
                  export_options to, std::function<void()> done)
        : executor_(std::move(executor)), timer_(executor_), from_(std::move(from)), send_(std::move(send)),
          to_(std::move(to)), done_(std::move(done))
    {
    }

    void start()
    {
        from_->on_ready([known = weak_from_this(), executor = executor_] {
            asio::post(executor, [known] {
                if (const auto self = known.lock())
                    self->on_woken();
            });
        });
        asio::post(executor_, [self = shared_from_this()] { self->guarded([&] { self->wait(self->to_.interval); }); });
    }

private:
    // Without memory to go on it ends: then nothing is exported any more, and all spans are dropped.
    template <class Step>
    void guarded(const Step& step)
    {
        try {
            step();
        } catch (const std::bad_alloc&) {
            from_->close();
            from_->drop(spans_);
            from_->drop_waiting();
            done_();
        }
    }

    void wait(std::chrono::milliseconds time)
    {
        timer_.expires_after(from_->is_closed() ? std::chrono::milliseconds(0) : time);
        timer_.async_wait(
            [self = shared_from_this()](const boost::system::error_code&) { self->guarded([&] { self->on_due(); }); });
    }
    // A pause before another attempt is as long as it is, unless all is to end.
    void on_woken()
    {
        is_whole_ready_ = true;
        if (!is_sending_ && (!body_ || from_->is_closed()))
            timer_.cancel();
    }

    void on_due()
    {
        if (!body_ && !take())
            return from_->is_closed() ? done_() : wait(to_.interval);
        ++attempt_;
        wait_for_receipt();
        try {
            send_(document(), [self = shared_from_this(), number = number_](document_receipt got) {
                self->post_receipt(number, std::move(got));
            });
        } catch (const std::exception& e) {
            on_no_receipt(number_, exception_text(e));
        }
    }

    void wait_for_receipt()
    {
        is_sending_ = true;
        timer_.expires_after(to_.timeout);
        timer_.async_wait([self = shared_from_this(), number = ++number_](const boost::system::error_code& ended) {
            if (!ended)
                self->guarded([&] { self->on_no_receipt(number, "the collector has not answered in time"); });
        });
    }

    // From any thread. Without memory it is as if it had not come.
    void post_receipt(std::uint64_t number, document_receipt got) noexcept
    {
        try {
            asio::post(executor_, [self = shared_from_this(), number, got = std::move(got)] {
                self->guarded([&] { self->on_receipt(number, got); });
            });
        } catch (const std::bad_alloc&) {
        }
    }

    bool take()
    {
        is_whole_ready_ = false;
        try {
            span_writer::payload next = from_->take();
            spans_ = next.spans;
            if (spans_ == 0)
                return false;
            body_ = std::make_shared<const std::string>(std::move(next.text));
            attempt_ = 0;
        } catch (const std::bad_alloc&) { // those that the writer has not handed over it has counted
            from_->drop(std::exchange(spans_, 0));
            return false;
        }
        return true;
    }

    document_to_send document() const
    {
        document_to_send what;
        what.url = to_.url;
        what.type = "application/json";
        what.fields = to_.fields;
        what.body = body_;
        what.timeout = to_.timeout;
        return what;
    }

    void on_no_receipt(std::uint64_t number, std::string why)
    {
        document_receipt none;
        none.failure = std::move(why);
        on_receipt(number, none);
    }

    // Of the attempt of this number; of others it is too late.
    void on_receipt(std::uint64_t number, const document_receipt& got)
    {
        if (!is_sending_ || number != number_)
            return;
        is_sending_ = false;
        const export_verdict verdict = judge_export(got, attempt_, to_.retry);
        if (verdict.step == export_step::try_again && !from_->is_closed())
            return wait(verdict.delay);
        const bool was_whole = spans_ == span_writer::most_at_once;
        const bool is_taken = verdict.step == export_step::go_on;
        const std::size_t lost = is_taken ? std::min(verdict.rejected, spans_) : spans_;
        from_->drop(lost);
        spans_ = 0;
        if (lost != 0)
            tell(std::to_string(lost) + " spans were dropped: " + verdict.why);
        else
            has_told_ = false;
        body_.reset();
        wait(was_whole || is_whole_ready_ ? std::chrono::milliseconds(0) : to_.interval);
    }

    void tell(const std::string& line)
    {
        if (to_.log && !std::exchange(has_told_, true))
            to_.log(line);
    }

    const asio::any_io_executor executor_;
    asio::steady_timer timer_;
    const std::shared_ptr<span_writer> from_;
    const document_sender send_;
    const export_options to_;
    const std::function<void()> done_;
    std::shared_ptr<const std::string> body_; // that is to be sent; null: none
    std::size_t spans_ = 0;                   // in it
    int attempt_ = 0;                         // at this one
    std::uint64_t number_ = 0;                // of the last attempt of all
    bool is_sending_ = false;
    bool is_whole_ready_ = false; // a payload, since the last one was taken
    bool has_told_ = false;
};

} // namespace

void export_spans(asio::any_io_executor executor, std::shared_ptr<span_writer> from, document_sender send,
                  export_options to, std::function<void()> done)
{
    std::make_shared<span_exporter>(std::move(executor), std::move(from), std::move(send), std::move(to),
                                    std::move(done))
        ->start();
}

} // namespace partyline::telemetry
