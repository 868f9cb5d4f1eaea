#pragma once

#include "mcp/wire/request_members.hpp"

#include <partyline/mcp/detail/call_handler.hpp>
#include <partyline/mcp/revision.hpp>
#include <partyline/mcp/server/tool_options.hpp>
#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/session/handler.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::mcp {

struct server_facts;

enum class feature_kind : std::uint8_t { tool, resource, resource_template, prompt };
inline constexpr std::size_t feature_kinds = 4;
/// One for each kind.
using feature_marks = std::array<bool, feature_kinds>;

namespace detail {

/// One thing that a server offers. It does not change once it is registered. Catalogues that have it keep it, and
/// sessions keep those whose methods serve requests.
class feature {
public:
    feature(feature_kind kind, std::string key, std::unique_ptr<call_handler> by, const run_options& how,
            std::string_view method);
    virtual ~feature() = default;
    feature(const feature&) = delete;
    feature& operator=(const feature&) = delete;

    feature_kind kind() const noexcept { return kind_; }
    /// A tool's or a prompt's name, a resource's URI, a template's text.
    const std::string& key() const noexcept { return key_; }
    /// What a session runs for it.
    const partyline::method& method() const noexcept { return method_; }
    std::string_view method_name() const noexcept { return method_.name; }

    // Set once, by the server that it is added to: that lives as long, and numbers are in order of registration.

    const server_facts& server() const noexcept { return *server_; }
    void belong_to(const server_facts& server);
    std::uint64_t number() const noexcept { return number_; }
    void set_number(std::uint64_t number) noexcept { number_ = number; }

    /// Writes what a list says of it, an object.
    virtual void describe(byte_buffer& out, revision r) const = 0;
    /// The arguments that a request gives it, an object; `memory` keeps what is made of something else. Throws
    /// `rpc_error` where they are none.
    virtual json_view arguments(const request_members& of, std::string& memory) const = 0;
    /// Checks arguments beyond what their types say: the words of what is wrong, empty where nothing is.
    virtual std::string check(json_view arguments) const { return static_cast<void>(arguments), std::string(); }
    /// Whether a client may ask how this argument goes on.
    virtual bool completes(std::string_view argument) const noexcept { return static_cast<void>(argument), false; }
    /// What a resource is, where it does not say so itself.
    virtual std::string_view mime_type() const noexcept { return {}; }

private:
    const feature_kind kind_;
    const std::string key_;
    partyline::method method_;
    request_middleware_list around_;
    std::unique_ptr<handler> unwrapped_; // its own, where there is something around it
    std::uint64_t number_ = 0;
    const server_facts* server_ = nullptr;
};

} // namespace detail

using feature_ptr = std::shared_ptr<detail::feature>;

} // namespace partyline::mcp
