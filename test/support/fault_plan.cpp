#include "support/fault_plan.hpp"

namespace partyline::test {

void fault_plan::release()
{
    if (std::exchange(is_holding_, false))
        held_->cancel();
}

fault fault_plan::next(bool is_read)
{
    ++steps_;
    if (!has_struck())
        return {};
    if (steps_ != planned_.step)
        return planned_.what == fault::kind::trickle ? planned_ : fault{};
    struck_read_ = is_read;
    if (planned_.what == fault::kind::interrupt)
        interrupt();
    return planned_;
}

} // namespace partyline::test
