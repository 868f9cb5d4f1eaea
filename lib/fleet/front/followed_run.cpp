#include "fleet/front/followed_run.hpp"

#include <algorithm>

namespace partyline::fleet {

bool followed_run::takes(std::string_view run, std::uint64_t number)
{
    if (!follow(run) || number <= last_)
        return false;
    last_ = number;
    return true;
}

bool followed_run::follow(std::string_view run)
{
    if (!runs_.empty() && runs_.back() == run)
        return true;
    if (runs_.size() == max_runs || std::find(runs_.begin(), runs_.end(), run) != runs_.end())
        return false;
    runs_.emplace_back(run);
    last_ = 0;
    return true;
}

} // namespace partyline::fleet
