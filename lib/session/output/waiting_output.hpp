#pragma once

#include <boost/intrusive/list_hook.hpp>

namespace partyline {

/// A message of ours, as one that waits for room in an outlet. It takes itself back by going away.
class waiting_output
    : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
protected:
    ~waiting_output() = default;
};

} // namespace partyline
