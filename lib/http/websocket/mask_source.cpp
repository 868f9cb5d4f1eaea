#include "http/websocket/mask_source.hpp"

#include "protocol/json/fill_random.hpp"

namespace partyline::http {

const mask_key& mask_source::next()
{
    if (used_ == keys_.size()) {
        fill_random(keys_.data(), sizeof keys_);
        used_ = 0;
    }
    return keys_[used_++];
}

} // namespace partyline::http
