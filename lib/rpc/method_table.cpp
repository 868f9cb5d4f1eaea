#include <partyline/rpc/method_table.hpp>

#include "protocol/json/text_hash.hpp"
#include "protocol/json/utf8_check.hpp"
#include "rpc/subscriptions/subscription_kind.hpp"
#include "rpc/subscriptions/unsubscriber.hpp"
#include "rpc/wrapped_handler.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/json/value.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <mutex>
#include <stdexcept>

namespace json = boost::json;

namespace partyline {
namespace {

constexpr std::string_view discovery_name = "rpc.discover";

// No seed: it is the program that chooses the names.
struct name_hash {
    using is_avalanching = void;
    std::size_t operator()(std::string_view name) const noexcept { return hash_text(name, 0); }
};

std::string called(std::string_view kind, std::string_view name)
{
    return std::string(kind) + " \"" + printable(name) + '"';
}

std::string called(std::string_view name)
{
    return called("method", name);
}

[[noreturn]] void refuse(std::string_view what, std::string_view problem)
{
    throw std::invalid_argument(std::string(what) + ": " + std::string(problem));
}

// The documents that say what there is would be no JSON, for everybody.
void check_text(std::string_view what, std::string_view which, std::string_view text)
{
    utf8_check check;
    if (!check.feed(text) || !check.is_whole())
        refuse(what, std::string(which) + " is not UTF-8");
}

void check_name(std::string_view what, std::string_view name)
{
    if (name.empty())
        refuse(what, "the name is empty");
    if (name.starts_with("rpc."))
        refuse(what, "names that begin with \"rpc.\" are reserved");
    check_text(what, "the name", name);
}

std::unique_ptr<handler> make_target(const std::string& what, const detail::bound_function& from)
{
    try {
        return from.make(from.function, from.names);
    } catch (const std::invalid_argument& problem) {
        refuse(what, problem.what());
    }
}

// The members of a struct that stands for all params are its parameters.
void add_members(method_description& to, const detail::schema_type& of, const detail::schema_use& how)
{
    const json::object schema = detail::make_schema(of, how);
    for (const detail::schema_member& member : of.members) {
        const json::object& properties = schema.at("properties").as_object();
        to.parameters.push_back({std::string(member.name), member.is_required, properties.at(member.name).as_object()});
    }
}

} // namespace

// A method, and its own handler where middleware stands in front of that.
struct method_table::served_method {
    std::unique_ptr<method> registered;
    std::unique_ptr<handler> unwrapped;

    handler& own() const noexcept { return unwrapped ? *unwrapped : *registered->target; }
    void put_in_front(std::unique_ptr<handler> wrapping) noexcept
    {
        std::swap(registered->target, wrapping);
        if (!unwrapped)
            unwrapped = std::move(wrapping);
    }
};

struct method_table::entry : served_method {
    detail::signature_schema types;
    std::vector<std::string> names; // of the parameters

    method_description describe() const;
    void add_parameters(method_description& to, const detail::schema_use& how) const;
};

struct method_table::index {
    // The keys are the names within the methods, which stay where they are.
    boost::unordered_flat_map<std::string_view, entry, name_hash> methods;
    served_method fallback; // empty where there is none
    request_middleware_list chain;

    std::vector<method_description> describe() const;
    std::unique_ptr<handler> wrap(const served_method& one) const;
    void around_requests(const request_middleware_list& added);

private:
    std::vector<served_method*> all();
};

// Answers with the document, which is made when it is first asked for: the table does not change from then on. A peer
// from which methods are hidden gets one of its own.
class method_table::discovery final : public handler {
public:
    discovery(const index& methods, service_description of)
        : handler(kind::plain), methods_(methods), of_(std::move(of))
    {
    }

    void call(request_context& context, json_view, result_writer& out) override
    {
        if (const std::shared_ptr<const access_view> by = context.access())
            return out.write(json::value(openrpc_document(of_, visible(*by))));
        std::call_once(once_, [this] { document_ = openrpc_document(of_, methods_.describe()); });
        out.write(document_); // whether all its texts and numbers can be written is seen there
    }

private:
    std::vector<method_description> visible(const access_view& by) const
    {
        std::vector<method_description> all = methods_.describe();
        std::erase_if(all, [&](const auto& one) { return by.judge(one.name, {}).is == access_answer::hidden; });
        return all;
    }

    const index& methods_;
    service_description of_;
    std::once_flag once_;
    json::value document_;
};

method_table::method_table() noexcept = default;
method_table::~method_table() = default;
method_table::method_table(method_table&&) noexcept = default;
method_table& method_table::operator=(method_table&&) noexcept = default;

std::vector<std::string> method_table::names() const
{
    std::vector<std::string> names;
    if (index_)
        for (const auto& known : index_->methods)
            if (known.first != discovery_name)
                names.emplace_back(known.first);
    std::sort(names.begin(), names.end());
    return names;
}

const method* method_table::find(std::string_view name) const noexcept
{
    if (!index_)
        return nullptr;
    const auto found = index_->methods.find(name);
    return found == index_->methods.end() ? index_->fallback.registered.get() : found->second.registered.get();
}

std::vector<method_description> method_table::describe() const
{
    return index_ ? index_->describe() : std::vector<method_description>();
}

std::vector<method_description> method_table::index::describe() const
{
    std::vector<method_description> all;
    for (const auto& [name, known] : methods)
        if (name != discovery_name)
            all.push_back(known.describe());
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return all;
}

std::unique_ptr<handler> method_table::index::wrap(const served_method& one) const
{
    return std::make_unique<detail::wrapped_handler>(one.own(), chain);
}

std::vector<method_table::served_method*> method_table::index::all()
{
    std::vector<served_method*> listed;
    for (auto& [name, known] : methods)
        listed.push_back(&known);
    if (fallback.registered)
        listed.push_back(&fallback);
    return listed;
}

// All methods get them, or none: they may be what refuses requests.
void method_table::index::around_requests(const request_middleware_list& added)
{
    const std::vector<served_method*> served = all();
    std::vector<std::unique_ptr<handler>> wrapping;
    request_middleware_list grown = chain;
    grown.add(added);
    std::swap(chain, grown);
    try {
        for (const served_method* one : served)
            wrapping.push_back(wrap(*one));
    } catch (...) {
        std::swap(chain, grown);
        throw;
    }
    for (std::size_t i = 0; i != served.size(); ++i)
        served[i]->put_in_front(std::move(wrapping[i]));
}

method_description method_table::entry::describe() const
{
    method_description told;
    told.name = registered->name;
    told.description = registered->options.description;
    told.is_notification = registered->is_notification;
    told.has_names = !names.empty();
    const binding_policy& policy = registered->options.binding;
    told.result = detail::make_schema(types.result(), {true, {{}, policy.empty}});
    const detail::schema_use in_params{false, policy};
    if (!types.whole) {
        add_parameters(told, in_params);
        return told;
    }
    const detail::schema_type whole = types.whole();
    told.has_names = whole.what == detail::schema_type::kind::object;
    told.has_positions = types.has_positions;
    if (told.has_names)
        add_members(told, whole, in_params);
    else
        told.whole = detail::make_schema(whole, in_params);
    return told;
}

void method_table::entry::add_parameters(method_description& to, const detail::schema_use& how) const
{
    for (std::size_t i = 0; i != types.parameters.size(); ++i) {
        const detail::parameter_schema& parameter = types.parameters[i];
        std::string name = i < names.size() ? names[i] : "argument" + std::to_string(i + 1);
        to.parameters.push_back({std::move(name), parameter.is_required, detail::make_schema(parameter.type(), how)});
    }
}

void detail::refuse_null_object(std::string_view kind, std::string_view name)
{
    throw std::invalid_argument(called(kind, name) + ": the object is null");
}

void method_table::insert(std::string& name, method_options& options, bool is_notification,
                          const detail::bound_function& from)
{
    const std::string what = called(name);
    std::unique_ptr<handler> target = make_target(what, from);
    check_name(what, name);
    check_text(what, "the description", options.description);
    std::vector<std::string> names = from.names ? from.names->names() : std::vector<std::string>();
    for (const std::string& one : names)
        check_text(what, "the name \"" + printable(one) + "\" of a parameter", one);
    insert_any({std::move(name), std::move(options), std::move(target), is_notification}, from.describe(),
               std::move(names));
}

void method_table::insert_any(method added, detail::signature_schema types, std::vector<std::string> names)
{
    if (!index_)
        index_ = std::make_unique<index>();
    if (index_->methods.contains(std::string_view(added.name)))
        refuse(called(added.name), "registered twice");
    auto kept = std::make_unique<method>(std::move(added));
    const std::string_view name = kept->name;
    entry made{{std::move(kept), nullptr}, types, std::move(names)};
    if (!index_->chain.empty())
        made.put_in_front(index_->wrap(made));
    index_->methods.emplace(name, std::move(made));
}

std::shared_ptr<const subscription_kind> method_table::make_kind(const subscription_names& names,
                                                                 const subscription_options& options)
{
    check_name(called("notification", names.notification), names.notification);
    return std::make_shared<const subscription_kind>(names, options);
}

// Both methods, or none. The one that subscribes does not run on an executor of its own: the answer has to come before
// what is posted when it has ended.
void method_table::insert_subscription(const std::shared_ptr<const subscription_kind>& kind,
                                       const detail::bound_function& from)
{
    std::string name = kind->names.subscribe;
    method_options how{.open_ended = true, .binding = kind->options.binding, .description = kind->options.description};
    insert(name, how, false, from);
    try {
        add(kind->names.unsubscribe, unsubscriber(kind), {"subscription"},
            {.description = "Ends a subscription of \"" + kind->names.subscribe + '"'});
    } catch (...) {
        index_->methods.erase(std::string_view(kind->names.subscribe));
        throw;
    }
}

void method_table::add_discovery(service_description of)
{
    check_text("service", "the title", of.title);
    check_text("service", "the version", of.version);
    check_text("service", "the description", of.description);
    if (!index_)
        index_ = std::make_unique<index>();
    method added;
    added.name = discovery_name;
    added.target = std::make_unique<discovery>(*index_, std::move(of));
    insert_any(std::move(added), {}, {});
}

void method_table::insert_fallback(method_options& options, const detail::bound_function& from)
{
    if (!index_)
        index_ = std::make_unique<index>();
    std::unique_ptr<handler> target = make_target("fallback", from);
    if (index_->fallback.registered)
        refuse("fallback", "set twice");
    served_method made{std::make_unique<method>(), nullptr};
    made.registered->options = std::move(options);
    made.registered->target = std::move(target);
    if (!index_->chain.empty())
        made.put_in_front(index_->wrap(made));
    index_->fallback = std::move(made);
}

void method_table::around_requests(const request_middleware_list& all)
{
    if (all.empty())
        return;
    if (!index_)
        index_ = std::make_unique<index>();
    index_->around_requests(all);
}

} // namespace partyline
