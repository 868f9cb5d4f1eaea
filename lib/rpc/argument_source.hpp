#pragma once

#include "rpc/parameter_place.hpp"
#include "rpc/problem_list.hpp"
#include "rpc/reading.hpp"

#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/json_source.hpp>
#include <partyline/rpc/detail/parameter_list.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string_view>

namespace partyline::detail {

/// The params of one request, matched to the parameters of its handler: each argument as the text that it has there;
/// and all that is wrong with them. Values that are made of arguments live as long as this.
class argument_source {
public:
    argument_source(const request_context& context, json_view params, const parameter_list& parameters);
    argument_source(const argument_source&) = delete;
    argument_source& operator=(const argument_source&) = delete;

    /// Reads each argument by its row. False where something is wrong with the params: see `problems()`.
    bool read(void* into, array_view<const read_row> rows);

    problem_list& problems() noexcept { return problems_; }

private:
    void match_array(json_view params);
    void match_object(json_view params);
    bool is_refused(std::string_view unknown) const noexcept;
    bool read_one(void* into, const read_row& row, std::size_t index);
    const boost::json::value* build(std::size_t index);
    parameter_place place(std::size_t index) const;

    static constexpr std::size_t first_bytes = 1024;

    unsigned char buffer_[first_bytes]; // uninitialised: zeroing it would cost more than most requests take from it
    boost::json::monotonic_resource arena_;
    const parameter_list& parameters_;
    array_view<json_view> slots_; // in the arena, one for each parameter
    const request_context& context_;
    problem_list problems_;
    reading how_;
    bool is_matched_ = true; // not where the number of arguments is wrong: then none is read
};

} // namespace partyline::detail
