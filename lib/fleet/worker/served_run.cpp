#include "fleet/worker/served_run.hpp"

#include "session/persistent_post.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/trace_context.hpp>

#include <boost/asio/error.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::fleet {

std::string unserved_reply(message_reader& reader, std::string_view request)
{
    const message& m = reader.read(request);
    error_object error;
    error.code = error_codes::server_busy;
    error.message = "Server busy";
    byte_buffer reply;
    if (m.type == message_type::request)
        write_error(reply, m.id, error, limits().depth);
    return std::string(reply.view());
}

served_run::served_run(std::uint64_t number, const asio::any_io_executor& executor,
                       std::shared_ptr<const dispatcher> methods, session_options options, user& told,
                       message_reader& reader)
    : number_(number), told_(&told), reader_(reader), executor_(executor),
      conversation_(std::make_shared<conversation>(executor, std::move(methods), options,
                                                   std::make_unique<line_framing>(options.bounds))),
      life_(executor), lines_(options.bounds)
{
    life_.start(); // `let_go()` has nobody to report a lack of memory to
    conversation_->attach(*this);
}

served_run::~served_run()
{
    conversation_->detach();
}

void served_run::begin(item call)
{
    out_ = &conversation_->open_outlet(lines_, *this);
    if (conversation_->context().options.on_served && !call.traceparent.empty())
        out_->set_sender({trace_context::parse(call.traceparent)});
    const std::string kept = call.message; // for the answer where it can't be served
    const auto self = shared_from_this();
    if (conversation_->push(*out_, std::move(call.message)))
        end_unserved(kept);
    else
        flush();
}

void served_run::cancel()
{
    if (has_ended_ || !out_)
        return;
    const auto self = shared_from_this();
    conversation_->abandon(*out_, true);
    flush();
}

void served_run::flush()
{
    // The stream's own output, which belongs to no request, is for nobody.
    outbox& stream = conversation_->out();
    if (!stream.empty())
        stream.sent(stream.unsent().size());
    if (!out_ || has_ended_ || std::exchange(is_flushing_, true))
        return;
    try {
        take_output();
    } catch (...) {
        is_flushing_ = false;
        throw;
    }
    is_flushing_ = false;
    if (is_taken_ && out_->empty() && out_->is_idle())
        end();
}

void served_run::take_output()
{
    while (!out_->empty()) {
        const std::string_view unsent = out_->unsent();
        partial_.append(unsent);
        out_->sent(unsent.size());
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = partial_.find('\n', begin)) != partial_.npos; begin = end + 1)
            take_line(partial_.substr(begin, end - begin));
        partial_.erase(0, begin);
    }
}

// What is neither is the reply, of a batch, too.
void served_run::take_line(std::string line)
{
    if (line.empty() || !told_)
        return;
    const message& m = reader_.read(line);
    if (m.type == message_type::request)
        refuse_call(m);
    else if (m.type == message_type::notification)
        told_->on_output(number_, std::move(line));
    else
        reply_ = std::move(line);
}

// Nobody can answer it.
void served_run::refuse_call(const message& m)
{
    conversation_->fail_call(m.id, errc::session_closed, "a worker of a fleet can't call its clients");
}

void served_run::end()
{
    if (std::exchange(has_ended_, true))
        return;
    // Its conversation is on the stack.
    post_persistently(executor_, [self = shared_from_this()] { self->let_go(); });
    if (user* const told = std::exchange(told_, nullptr))
        told->on_end(number_, std::move(reply_));
}

void served_run::end_unserved(const std::string& text)
{
    if (std::exchange(has_ended_, true))
        return;
    std::string reply = unserved_reply(reader_, text);
    user* const told = told_;
    let_go();
    told->on_end(number_, std::move(reply));
}

void served_run::let_go() noexcept
{
    told_ = nullptr;
    has_ended_ = true;
    life_.keep(shared_from_this());
    if (outlet* const unused = std::exchange(out_, nullptr))
        conversation_->release(*unused);
    conversation_->stop(asio::error::operation_aborted, {errc::session_closed});
}

void served_run::on_end(error_code) noexcept
{
    const auto self = shared_from_this();
    life_.keep(self); // its user may let go of it now, and its conversation is on the stack
    if (!has_ended_) {
        out_ = nullptr;
        has_ended_ = true;
        if (user* const told = std::exchange(told_, nullptr)) {
            try {
                told->on_end(number_, std::move(reply_));
            } catch (const std::exception&) { // another worker has it when its time is over
            }
        }
    }
    life_.stop();
}

} // namespace partyline::fleet
