#pragma once

#include "telemetry/spans/span.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::telemetry {

/// Writes spans as OTLP has them in JSON (`ExportTraceServiceRequest`).
class payload_writer {
public:
    /// `resource`: the attributes of the program. `mcp_methods`: names of methods, sorted.
    payload_writer(const std::vector<std::pair<std::string, std::string>>& resource,
                   std::vector<std::string> mcp_methods);

    std::string write(std::span<const telemetry::span> spans) const;

private:
    void append(std::string& out, const telemetry::span& one) const;
    void append_attributes(std::string& out, const telemetry::span& one) const;
    bool is_of_mcp(std::string_view method) const noexcept;

    std::string beginning_; // up to the spans
    const std::vector<std::string> mcp_methods_;
};

} // namespace partyline::telemetry
