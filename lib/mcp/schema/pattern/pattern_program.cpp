#include "mcp/schema/pattern/pattern_program.hpp"

#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

namespace partyline::mcp::detail {
namespace {

// Repetitions are written out, so the program's size has a bound, and so has the work of writing it: parts that are
// empty take no steps however often they are repeated. The depth is that of groups, which the reader bounds.
class program_writer {
public:
    void write(const pattern_tree& tree)
    {
        count(++visits_);
        switch (tree.what) {
        case pattern_tree::kind::character: return write_character(tree);
        case pattern_tree::kind::begin: return add(pattern_step::kind::begin);
        case pattern_tree::kind::end: return add(pattern_step::kind::end);
        case pattern_tree::kind::sequence: return write_sequence(tree);
        case pattern_tree::kind::alternatives: return write_alternatives(tree);
        case pattern_tree::kind::repeat: return write_repeat(tree);
        }
    }

    pattern_program finish()
    {
        add(pattern_step::kind::found);
        return std::move(program_);
    }

private:
    static void count(std::size_t so_many)
    {
        if (so_many > max_pattern_steps)
            throw std::invalid_argument("the pattern with its repetitions is longer than " +
                                        std::to_string(max_pattern_steps) + " steps");
    }

    void add(pattern_step::kind what, std::uint32_t operand = 0)
    {
        program_.steps.push_back({what, operand});
        count(program_.steps.size());
    }

    std::uint32_t end() const noexcept { return static_cast<std::uint32_t>(program_.steps.size()); }
    void lead_to_end(std::uint32_t step) { program_.steps[step].operand = end(); }

    void write_character(const pattern_tree& tree)
    {
        const auto [number, is_new] = numbers_.emplace(&tree, static_cast<std::uint32_t>(program_.sets.size()));
        if (is_new)
            program_.sets.push_back(tree.set);
        add(pattern_step::kind::character, number->second);
    }

    void write_sequence(const pattern_tree& tree)
    {
        for (const pattern_tree& part : tree.parts)
            write(part);
    }

    void write_alternatives(const pattern_tree& tree)
    {
        std::vector<std::uint32_t> jumps;
        for (std::size_t i = 0; i + 1 < tree.parts.size(); ++i) {
            const std::uint32_t split = end();
            add(pattern_step::kind::split);
            write(tree.parts[i]);
            jumps.push_back(end());
            add(pattern_step::kind::jump);
            lead_to_end(split);
        }
        write(tree.parts.back());
        for (const std::uint32_t jump : jumps)
            lead_to_end(jump);
    }

    void write_repeat(const pattern_tree& tree)
    {
        const pattern_tree& part = tree.parts.front();
        for (std::size_t i = 0; i < tree.min; ++i)
            write(part);
        if (tree.max == no_end)
            return write_loop(part);
        std::vector<std::uint32_t> splits;
        for (std::size_t i = tree.min; i < tree.max; ++i) {
            splits.push_back(end());
            add(pattern_step::kind::split);
            write(part);
        }
        for (const std::uint32_t split : splits)
            lead_to_end(split);
    }

    void write_loop(const pattern_tree& part)
    {
        const std::uint32_t split = end();
        add(pattern_step::kind::split);
        write(part);
        add(pattern_step::kind::jump, split);
        lead_to_end(split);
    }

    pattern_program program_;
    std::unordered_map<const pattern_tree*, std::uint32_t> numbers_; // of the sets: one however often it is repeated
    std::size_t visits_ = 0;
};

} // namespace

pattern_program make_pattern_program(const pattern_tree& tree)
{
    program_writer writer;
    writer.write(tree);
    return writer.finish();
}

} // namespace partyline::mcp::detail
