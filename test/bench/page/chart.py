"""A bar chart (SVG) of the workload "echo": CPU time relative to the yardstick."""

import math

LEAST_RATIO = 1e-6  # there is no logarithm of 0, which a coarse clock may come to
BAR_HEIGHT = 20
LINE_HEIGHT = 28
LEFT = 330  # where bars begin; names stand before it
RIGHT = 800  # where the axis ends
TOP = 56
PICTURE_WIDTH = 860

# Colours for a light and a dark page.
COLOURS = """<style>
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
"""


class Scale:
    """Powers of ten, since the slowest takes a thousand times what the fastest does."""

    def __init__(self, ratios):
        self.first = math.floor(math.log10(min(ratios)))
        self.last = max(1, math.ceil(math.log10(max(ratios))))

    def x(self, ratio):
        return LEFT + (math.log10(ratio) - self.first) / (self.last - self.first) * (RIGHT - LEFT)

    def draw(self, bottom):
        return "".join(self.draw_line(power, bottom) for power in range(self.first, self.last + 1))

    def draw_line(self, power, bottom):
        x = self.x(10**power)
        kind = "one" if power == 0 else "grid"
        line = f'<line class="{kind}" x1="{number(x)}" x2="{number(x)}" y1="{TOP - 6}" y2="{bottom}"/>\n'
        return line + label("scale", "middle", x, bottom + 16, f"{10**power:g}")


def make_chart(results):
    bars = sorted(bars_of(results), key=lambda bar: bar[1])
    scale = Scale([ratio for _, ratio in bars])
    bottom = TOP + len(bars) * LINE_HEIGHT
    machine = results["machine"]
    source = f"logarithmic scale; partyline {results['partyline']}, {machine['cpu']}, {machine['compiler']}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {bottom + 44}" role="img">\n'
        + "<title>CPU time per request of JSON-RPC servers</title>\n"
        + COLOURS
        + label("title", "start", 12, 28, "CPU time per echo request, hand-written blocking loop = 1")
        + scale.draw(bottom)
        + "".join(draw_bar(*bar, scale, TOP + i * LINE_HEIGHT) for i, bar in enumerate(bars))
        + label("scale", "start", 12, bottom + 36, source)
        + "</svg>\n"
    )


def bars_of(results):
    """Each server of the workload, with its ratio."""
    for workload in results["workloads"]:
        if workload["name"] == "echo":
            return [(server, ratio_of(server)) for server in workload["rows"]]
    raise ValueError("there is no chart without the workload echo")


def ratio_of(server):
    return max(server["ratio"]["median"], LEAST_RATIO) if server["ratio"] else 1


def draw_bar(server, ratio, scale, y):
    end = scale.x(ratio)
    return (
        label("name", "end", LEFT - 8, y + 15, server["name"])
        + f'<rect class="{server["kind"]}" x="{LEFT}" y="{y}" width="{number(end - LEFT)}" height="{BAR_HEIGHT}"/>\n'
        + label("value", "start", end + 6, y + 15, number(ratio))
    )


def label(kind, anchor, x, y, text):
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text class="{kind}" text-anchor="{anchor}" x="{number(x)}" y="{y}">{escaped}</text>\n'


def number(value):
    return f"{value:.2f}" if value < 9.95 else f"{value:.0f}"
