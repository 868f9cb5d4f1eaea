#pragma once

#include "mcp/server/features/feature.hpp"
#include "mcp/wire/uri_template.hpp"

#include <partyline/mcp/detail/binding.hpp>
#include <partyline/mcp/server/tool_options.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace partyline::mcp {

/// What is said of a resource or of a template.
struct resource_description {
    std::string name;
    std::string description;
    resource_options options;

    /// Writes it; `key` is the member that has the URI or the template.
    void write(byte_buffer& out, std::string_view key, const std::string& uri, revision r) const;
};

/// What has one URI.
class resource final : public detail::feature {
public:
    /// Throws `std::invalid_argument` for what is no URI, or has no name.
    resource(std::string uri, resource_description about, std::unique_ptr<detail::call_handler> reads);

    void describe(byte_buffer& out, revision r) const override { about_.write(out, "uri", key(), r); }
    json_view arguments(const request_members& of, std::string& memory) const override;
    std::string_view mime_type() const noexcept override { return about_.options.mime_type; }

private:
    const resource_description about_;
};

/// What has URIs that are made alike.
class resource_template final : public detail::feature {
public:
    /// Throws `std::invalid_argument`, too, where the variables are not the members of the struct.
    resource_template(std::string text, resource_description about, detail::template_binding bound);

    void describe(byte_buffer& out, revision r) const override { about_.write(out, "uriTemplate", key(), r); }
    /// The variables, as an object. Throws `resource_not_found` for a URI that does not fit.
    json_view arguments(const request_members& of, std::string& memory) const override;
    std::string_view mime_type() const noexcept override { return about_.options.mime_type; }

    bool completes(std::string_view argument) const noexcept override { return variables_.contains(argument); }
    bool fits(std::string_view uri) const { return template_.match(uri).has_value(); }

    /// Whether it says which resources there are.
    bool has_list() const noexcept { return static_cast<bool>(about_.options.list); }
    /// These. Throws what the user's function throws.
    std::vector<listed_resource> list(request_context& asked_by) const;
    /// Writes what a list says of one of them. Throws `std::logic_error` for one that the template does not fit.
    void describe(byte_buffer& out, const listed_resource& one, revision r) const;

private:
    const uri_template template_;
    const std::set<std::string, std::less<>> variables_;
    const resource_description about_;
};

} // namespace partyline::mcp
