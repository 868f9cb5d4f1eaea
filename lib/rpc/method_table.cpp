#include <partyline/rpc/method_table.hpp>

#include "protocol/json/text_hash.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>

namespace partyline {
namespace {

// No seed: it is the program that chooses the names.
struct name_hash {
    using is_avalanching = void;
    std::size_t operator()(std::string_view name) const noexcept { return hash_text(name, 0); }
};

} // namespace

struct method_table::index {
    // The keys are the names within the methods, which stay where they are.
    boost::unordered_flat_map<std::string_view, std::unique_ptr<method>, name_hash> methods;
    std::unique_ptr<method> fallback;
};

method_table::method_table() noexcept = default;
method_table::~method_table() = default;
method_table::method_table(method_table&&) noexcept = default;
method_table& method_table::operator=(method_table&&) noexcept = default;

std::vector<std::string> method_table::names() const
{
    std::vector<std::string> names;
    if (index_)
        for (const auto& entry : index_->methods)
            names.emplace_back(entry.first);
    std::sort(names.begin(), names.end());
    return names;
}

const method* method_table::find(std::string_view name) const noexcept
{
    if (!index_)
        return nullptr;
    const auto found = index_->methods.find(name);
    return found == index_->methods.end() ? index_->fallback.get() : found->second.get();
}

void method_table::refuse(std::string_view what, std::string_view problem)
{
    throw std::invalid_argument(std::string(what) + ": " + std::string(problem));
}

void method_table::insert(method added)
{
    const std::string what = "method \"" + added.name + "\"";
    if (added.name.empty())
        refuse(what, "the name is empty");
    if (added.name.starts_with("rpc."))
        refuse(what, "names that begin with \"rpc.\" are reserved");
    if (!index_)
        index_ = std::make_unique<index>();
    if (index_->methods.contains(std::string_view(added.name)))
        refuse(what, "registered twice");
    auto kept = std::make_unique<method>(std::move(added));
    const std::string_view name = kept->name;
    index_->methods.emplace(name, std::move(kept));
}

void method_table::insert_fallback(method added)
{
    if (!index_)
        index_ = std::make_unique<index>();
    if (index_->fallback)
        refuse("fallback", "set twice");
    index_->fallback = std::make_unique<method>(std::move(added));
}

} // namespace partyline
