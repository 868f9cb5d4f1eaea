#include <partyline/protocol/json_text.hpp>

#include "protocol/json/value_builder.hpp"
#include "protocol/json/value_memory.hpp"

#include <partyline/protocol/error.hpp>

#include <limits>
#include <string>
#include <utility>

namespace partyline {
namespace {

namespace json = boost::json;

[[noreturn]] void refuse(const value_builder::refusal& what)
{
    json::object data;
    if (what.members != 0) {
        data["expected"] = "an object whose names do not collide";
        data["got"] = std::to_string(what.members) + " members whose names do";
    } else {
        data["expected"] = "a finite number";
        data["got"] = what.number.substr(0, 64); // enough to find it by; it may be megabytes long
    }
    throw rpc_error(error_codes::invalid_params, "Invalid params", std::move(data));
}

} // namespace

json::value json_view::to_value() const
{
    if (built_ && built_->has_value())
        return built_->take();
    return to_value(value_memory::for_text(text_.size()));
}

json::value json_view::to_value(json::storage_ptr storage) const
{
    if (empty())
        return json::value(nullptr, std::move(storage));
    value_builder builder;
    scanner scan;
    scan.start(text_);
    if (!builder.read(scan, text_.data(), std::numeric_limits<std::size_t>::max(), std::move(storage)))
        refuse(builder.refused());
    return builder.take();
}

} // namespace partyline
