#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace bench {
namespace {

constexpr int bar_height = 20;
constexpr int line_height = 28;
constexpr int left = 330;  // where bars begin; names stand before it
constexpr int right = 800; // where the axis ends
constexpr int top = 56;
constexpr int picture_width = 860;

// Colours for a light and a dark page.
constexpr const char* colours = R"(<style>
text { font: 14px system-ui, sans-serif; fill: #1f2328; }
.title { font-size: 16px; font-weight: 600; }
.scale { font-size: 12px; fill: #59636e; }
.grid { stroke: #d1d9e0; }
.one { stroke: #59636e; stroke-dasharray: 4 3; }
.floor, .yardstick { fill: #9198a1; }
.partyline, .server { fill: #1f6feb; }
.peer { fill: #bf8700; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; }
.scale { fill: #9198a1; }
.grid { stroke: #3d444d; }
.one { stroke: #9198a1; }
.floor, .yardstick { fill: #656c76; }
.partyline, .server { fill: #4493f8; }
.peer { fill: #d29922; }
}
</style>
)";

struct bar {
    std::string name;
    std::string kind;
    double ratio;
};

std::vector<bar> bars_of(const results& all)
{
    const auto echo = std::find_if(all.workloads.begin(), all.workloads.end(),
                                   [](const section& workload) { return workload.name == "echo"; });
    if (echo == all.workloads.end())
        throw std::runtime_error("there is no chart without the workload echo");
    std::vector<bar> bars;
    for (const row& server : echo->rows)
        bars.push_back({server.name, server.kind, server.ratio ? server.ratio->median : 1});
    std::sort(bars.begin(), bars.end(), [](const bar& a, const bar& b) { return a.ratio < b.ratio; });
    return bars;
}

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, value < 9.95 ? "%.2f" : "%.0f", value);
    return text;
}

std::string escaped(const std::string& text)
{
    std::string safe;
    for (char c : text)
        safe += c == '&' ? std::string("&amp;") : c == '<' ? std::string("&lt;") : std::string(1, c);
    return safe;
}

std::string label(const char* kind, const char* anchor, double x, int y, const std::string& text)
{
    return std::string("<text class=\"") + kind + "\" text-anchor=\"" + anchor + "\" x=\"" + number(x) + "\" y=\"" +
           std::to_string(y) + "\">" + escaped(text) + "</text>\n";
}

// Powers of ten, since the slowest takes a thousand times what the fastest does.
class scale {
public:
    explicit scale(const std::vector<bar>& bars)
        : first_(static_cast<int>(std::floor(std::log10(std::max(bars.front().ratio, 1e-6))))),
          last_(std::max(1, static_cast<int>(std::ceil(std::log10(bars.back().ratio)))))
    {
    }

    double x(double ratio) const
    {
        const double share = (std::log10(std::max(ratio, 1e-6)) - first_) / (last_ - first_);
        return left + share * (right - left);
    }

    std::string draw(int bottom) const
    {
        std::string text;
        for (int power = first_; power <= last_; ++power) {
            const std::string at = number(x(std::pow(10, power)));
            text += std::string("<line class=\"") + (power == 0 ? "one" : "grid") + "\" x1=\"" + at + "\" x2=\"" + at +
                    "\" y1=\"" + std::to_string(top - 6) + "\" y2=\"" + std::to_string(bottom) + "\"/>\n";
            char value[32];
            std::snprintf(value, sizeof value, "%g", std::pow(10, power));
            text += label("scale", "middle", x(std::pow(10, power)), bottom + 16, value);
        }
        return text;
    }

private:
    int first_;
    int last_;
};

} // namespace

std::string make_chart(const results& all)
{
    const std::vector<bar> bars = bars_of(all);
    const scale axis(bars);
    const int bottom = top + static_cast<int>(bars.size()) * line_height;
    const std::string size = std::to_string(picture_width) + " " + std::to_string(bottom + 44);
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" role=\"img\">\n" +
                      "<title>CPU time per request of JSON-RPC servers</title>\n" + colours +
                      label("title", "start", 12, 28, "CPU time per echo request, hand-written blocking loop = 1");
    svg += axis.draw(bottom);
    int y = top;
    for (const bar& drawn : bars) {
        const double end = axis.x(drawn.ratio);
        svg += label("name", "end", left - 8, y + 15, drawn.name);
        svg += "<rect class=\"" + drawn.kind + "\" x=\"" + std::to_string(left) + "\" y=\"" + std::to_string(y) +
               "\" width=\"" + number(end - left) + "\" height=\"" + std::to_string(bar_height) + "\"/>\n";
        svg += label("value", "start", end + 6, y + 15, number(drawn.ratio));
        y += line_height;
    }
    return svg +
           label("scale", "start", 12, bottom + 36,
                 "logarithmic scale; partyline " + all.partyline + ", " + all.machine.cpu + ", " +
                     all.machine.compiler) +
           "</svg>\n";
}

} // namespace bench
