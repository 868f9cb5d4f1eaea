#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/parameter_list.hpp>
#include <partyline/rpc/detail/parameter_place.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string_view>

namespace partyline::detail {

/// The params of one request, matched to the parameters of its handler: each argument as the text that it has there.
/// Names that there are no parameters for are no reason not to read the rest: see `has_unknown()`. What is read from it
/// on the way to a C++ type lives in an arena that begins on the stack.
class PARTYLINE_EXPORT argument_source {
public:
    /// `slots` has one place for each parameter. Throws `rpc_error` -32602 when the params do not match.
    argument_source(const request_context& context, json_view params, const parameter_list& parameters,
                    array_view<json_view> slots);
    argument_source(const argument_source&) = delete;
    argument_source& operator=(const argument_source&) = delete;

    /// From now on `place()` collects what is wrong there; what the params as a whole have wrong is in it already.
    /// Nothing that has been read from it is used any more.
    void collect(problem_list& into);

    /// Whether the request leaves this argument out. Null does not count as such.
    bool is_absent(std::size_t index) const noexcept { return slots_[index].empty(); }
    bool is_null(std::size_t index) const noexcept { return slots_[index].text() == "null"; }
    json_view text(std::size_t index) const noexcept { return slots_[index]; }
    parameter_place place(std::size_t index) const noexcept;

    /// The argument as a value that lives no longer than this object.
    boost::json::value value(std::size_t index) { return build(index, &arena_); }

    /// The argument as a value in default storage.
    boost::json::value kept_value(std::size_t index) const { return build(index, {}); }

    /// A string argument, decoded; valid as long as the request's text and this object are.
    std::string_view string(std::size_t index);

    /// Whether there are names that no parameters have, and that are to be refused.
    bool has_unknown() const noexcept { return has_unknown_; }

private:
    void match_array(json_view params);
    void match_object();
    bool is_unknown(std::string_view name) const noexcept;
    boost::json::value build(std::size_t index, boost::json::storage_ptr storage) const;
    [[noreturn]] void refuse_count(std::size_t got) const;
    std::string_view keep(std::string_view text);

    static constexpr std::size_t stack_bytes = 1024;

    unsigned char buffer_[stack_bytes]; // uninitialised: zeroing it would cost more than most requests take from it
    boost::json::monotonic_resource arena_;
    const parameter_list& parameters_;
    array_view<json_view> slots_;
    const request_context& context_;
    reading how_;
    parameter_place whole_;
    json_view params_;
    bool has_unknown_ = false;
};

} // namespace partyline::detail
