#include "asker.hpp"

#include "form_dialogue.hpp"
#include "page_dialogue.hpp"

#include <optional>
#include <utility>

namespace mcp = partyline::mcp;

namespace call {

/// While it lives, the terminal is one question's.
class asker::lock {
public:
    lock(asker& of, partyline::async_mutex::lock alone) : of_(of), alone_(std::move(alone))
    {
        of_.status_output_->begin_typing();
        of_.terminal_->forget_input(); // it was no answer to what is asked now
    }
    lock(const lock&) = delete;
    lock& operator=(const lock&) = delete;
    ~lock()
    {
        if (!is_answered_)
            of_.terminal_->write("\n"); // the cursor stands behind a question
        of_.status_output_->end_typing();
    }

    void set_answered() noexcept { is_answered_ = true; }

private:
    asker& of_;
    partyline::async_mutex::lock alone_;
    bool is_answered_ = false;
};

asker::asker(std::unique_ptr<terminal> on, status_output& shown)
    : terminal_(std::move(on)), status_output_(&shown), turns_(terminal_->get_executor())
{
}

template <class Dialogue>
partyline::task<void> asker::hold(Dialogue& dialogue)
{
    partyline::async_mutex::lock alone = co_await turns_.async_lock();
    lock mine(*this, std::move(alone));
    terminal_->write(dialogue.begin());
    while (!dialogue.is_done()) {
        const std::optional<std::string> line = co_await terminal_->read_line();
        terminal_->write(line ? dialogue.take(*line) : dialogue.take_end());
    }
    mine.set_answered();
}

partyline::task<mcp::elicit_answer> asker::ask(mcp::elicit_request what)
{
    form_dialogue form(who_, what);
    co_await hold(form);
    co_return form.answer();
}

partyline::task<mcp::elicit_action> asker::ask(mcp::page_request what)
{
    page_dialogue page(who_, what);
    co_await hold(page);
    co_return page.answer();
}

} // namespace call
