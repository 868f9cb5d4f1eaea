#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tools/tool_progress.hpp>

namespace tools::test {

/// What a tool has told; cancelled after so many questions.
class heard_progress final : public tool_progress {
public:
    explicit heard_progress(std::optional<int> patience = std::nullopt) : patience_(patience) {}

    struct report_heard {
        double done;
        std::optional<double> total;
        std::string message;
    };

    void report(double done, std::optional<double> total, std::string message) override
    {
        heard.push_back({done, total, std::move(message)});
    }
    bool cancelled() override { return patience_ && (*patience_)-- <= 0; }

    std::vector<report_heard> heard;

private:
    std::optional<int> patience_;
};

} // namespace tools::test
