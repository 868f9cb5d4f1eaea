#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/detail/binding.hpp>
#include <partyline/mcp/server/context.hpp>
#include <partyline/mcp/server/extension_options.hpp>
#include <partyline/mcp/server/server_options.hpp>
#include <partyline/mcp/server/tool_options.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/run_stdio.hpp>
#include <partyline/session.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::mcp {

class server_core;

/// A parameter of a tool, and what it is for.
struct parameter_text {
    /// Its name among the arguments.
    std::string name;
    /// What it is for; left out when empty.
    std::string text = {};
};

/// One thing that a server offers, for what is done with it later on. It may be copied, and outlive the server.
///
/// Thread safety: safe.
class PARTYLINE_EXPORT feature_handle {
public:
    feature_handle() = default;

    /// Whether clients see it and may use it; who does so already goes on. They are told of the change.
    void enable(bool is_enabled);
    /// Takes it out of the server. Its name is free again.
    void remove();

private:
    friend class server;
    feature_handle(std::weak_ptr<server_core> of, std::uint64_t number) noexcept : of_(std::move(of)), number_(number)
    {
    }

    std::weak_ptr<server_core> of_;
    std::uint64_t number_ = 0;
};

/// What clients of the Model Context Protocol use: tools, resources and prompts, each a C++ function. One server serves
/// any number of sessions, of clients that begin with `initialize` (2024-11-05 to 2025-11-25) and of those that do not
/// (2026-07-28), also in one session.
///
///     mcp::server server("notes", "1.0.0");
///     server.add_tool("search", "Finds files that contain a text.", [](search_args a) { return find_files(a); });
///     return server.run_stdio();
///
/// What can be a handler: what can be one of a method (see method_table.hpp), with an `mcp::context&` as the first
/// parameter if it wants one, and the arguments as a described struct; a tool's may be named where it is added, too.
/// What is added while sessions run is seen by their next request, and clients that want to know are told.
///
/// Errors: what is added must make sense, else `std::invalid_argument` is thrown at once and nothing is added: a name
/// that is taken or is none, an empty function, a schema that says what is not known here.
///
/// Movable. Sessions keep what they need of it: it may go before them.
/// Thread safety: all but moving and destroying may be done from any thread.
class PARTYLINE_EXPORT server {
public:
    /// Has nothing yet. `name` is for programs; people see `server_options::title`.
    server(std::string name, std::string version, server_options options = {});
    ~server();
    server(server&&) noexcept;
    server& operator=(server&&) noexcept;

    /// Adds a tool. Its arguments are a described struct, whose notes say what each member is for (see rpc/notes.hpp),
    /// or there are none. `description` tells a model what it does, and when to use it.
    ///
    /// Its result: void; a string, which is the text that the model reads; a described struct or a map, which is a
    /// structured result and its JSON the text; a number, a bool, a container, which are the member `result` of one;
    /// content, a list of it, or a `tool_result`; a `json::value` or `json_text`, a structured result whose schema is
    /// `tool_options::output_schema`, if any.
    /// Its errors: see tool_error.hpp. Arguments that do not fit are told as a failure that names all of them.
    ///
    ///     struct search_args {
    ///         std::string pattern;
    ///
    ///         static constexpr auto notes()
    ///         {
    ///             return partyline::notes(note(&search_args::pattern, "Text to look for"));
    ///         }
    ///     };
    ///     BOOST_DESCRIBE_STRUCT(search_args, (), (pattern))
    ///
    ///     void add_search(mcp::server& server)
    ///     {
    ///         server.add_tool(
    ///             "search", "Finds files that contain a text.",
    ///             [](mcp::context& context, search_args what) -> partyline::task<std::vector<std::string>> {
    ///                 co_await context.progress(0, 100, "looking for " + what.pattern);
    ///                 co_return files_with(what.pattern);
    ///             },
    ///             {.read_only = true});
    ///     }
    template <class F>
    feature_handle add_tool(std::string name, std::string description, F function, tool_options options = {})
    {
        return insert_tool(std::move(name), std::move(description), detail::bind_tool(std::move(function)),
                           std::move(options));
    }

    /// The same of a function whose arguments are named here: `add_tool("add", "Adds.", add, {{"a", "First"}, {"b",
    /// "Second"}})`.
    template <class F>
    feature_handle add_tool(std::string name, std::string description, F function,
                            std::initializer_list<parameter_text> parameters, tool_options options = {})
    {
        std::vector<std::string> names;
        std::vector<std::string> texts;
        for (const parameter_text& one : parameters) {
            names.push_back(one.name);
            texts.push_back(one.text);
        }
        return insert_tool(std::move(name), std::move(description),
                           detail::bind_tool(std::move(function), std::move(names), std::move(texts)),
                           std::move(options));
    }

    /// The same with a JSON Schema that is written by hand: it is listed as it stands, and arguments are checked
    /// against it. The function takes the arguments as a `json::object`, `json_text` or `json_view`.
    template <class F>
    feature_handle add_tool(std::string name, std::string description, json_text input_schema, F function,
                            tool_options options = {})
    {
        detail::tool_binding bound = detail::bind_raw_tool(std::move(function));
        bound.written_schema = std::move(input_schema);
        return insert_tool(std::move(name), std::move(description), std::move(bound), std::move(options));
    }

    /// A tool that is a member function, by each of these ways: `add_tool("search", "Finds files.", &notes::search,
    /// &all_notes)`. The object is pointed at as `method_table::add` has it.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_tool(std::string name, std::string description, F function, Pointer object,
                            tool_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "tool", name);
        return add_tool(std::move(name), std::move(description), std::move(bound), std::move(options));
    }
    /// The same with names.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_tool(std::string name, std::string description, F function, Pointer object,
                            std::initializer_list<parameter_text> parameters, tool_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "tool", name);
        return add_tool(std::move(name), std::move(description), std::move(bound), parameters, std::move(options));
    }
    /// The same with a schema.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_tool(std::string name, std::string description, json_text input_schema, F function,
                            Pointer object, tool_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "tool", name);
        return add_tool(std::move(name), std::move(description), std::move(input_schema), std::move(bound),
                        std::move(options));
    }

    /// Adds a resource: what has this URI. The function takes nothing (or the context) and returns a string, a
    /// `text_resource`, a `blob_resource`, or a `std::vector<resource_contents>`.
    ///
    ///     server.add_resource("notes://today", "today", "Today's note", [] { return read_note("today"); });
    template <class F>
    feature_handle add_resource(std::string uri, std::string name, std::string description, F function,
                                resource_options options = {})
    {
        return insert_resource(std::move(uri), std::move(name), std::move(description),
                               detail::bind_resource(std::move(function)), std::move(options));
    }

    /// The same of a member function, as a tool's may be.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_resource(std::string uri, std::string name, std::string description, F function, Pointer object,
                                resource_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "resource", uri);
        return add_resource(std::move(uri), std::move(name), std::move(description), std::move(bound),
                            std::move(options));
    }

    /// Adds resources whose URIs are made alike: "notes://{date}" (RFC 6570, simple variables and "{+path}", which may
    /// have slashes). The function takes a described struct, whose members are the variables. A URI that does not fit
    /// is not found; one that the function does not know it tells by throwing `resource_not_found()`. Which ones there
    /// are `resource_options::list` tells.
    ///
    ///     server.add_resource_template("notes://{date}", "note", "The note of a day", [](day_args day) {
    ///         if (!has_note(day.date))
    ///             throw mcp::resource_not_found();
    ///         return read_note(day.date);
    ///     });
    template <class F>
    feature_handle add_resource_template(std::string uri_template, std::string name, std::string description,
                                         F function, resource_options options = {})
    {
        return insert_template(std::move(uri_template), std::move(name), std::move(description),
                               detail::bind_template(std::move(function)), std::move(options));
    }

    /// The same of a member function, as a tool's may be.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_resource_template(std::string uri_template, std::string name, std::string description,
                                         F function, Pointer object, resource_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "resource template", uri_template);
        return add_resource_template(std::move(uri_template), std::move(name), std::move(description), std::move(bound),
                                     std::move(options));
    }

    /// Adds a prompt. Its arguments are a described struct of strings, optional strings and enums. The function returns
    /// a string, a `prompt_message`, or several.
    ///
    ///     server.add_prompt("review", "Reviews a note", [](day_args day) {
    ///         return mcp::prompt_message::user("Review this note:\n" + read_note(day.date));
    ///     });
    template <class F>
    feature_handle add_prompt(std::string name, std::string description, F function, prompt_options options = {})
    {
        return insert_prompt(std::move(name), std::move(description), detail::bind_prompt(std::move(function)),
                             std::move(options));
    }

    /// The same of a member function, as a tool's may be.
    template <detail::rpc::member_function F, detail::rpc::object_pointer Pointer>
    feature_handle add_prompt(std::string name, std::string description, F function, Pointer object,
                              prompt_options options = {})
    {
        auto bound = detail::rpc::with_object(function, std::move(object), "prompt", name);
        return add_prompt(std::move(name), std::move(description), std::move(bound), std::move(options));
    }

    /// Completes an argument of a prompt, or a variable of a template, as a user writes it: the function takes what is
    /// there already, as a `std::string_view`, and returns what it may become, the most likely first. It is called
    /// where the session runs, and does not wait. Enums complete by themselves.
    void complete(std::string of, std::string argument, std::function<std::vector<std::string>(std::string_view)> by);

    /// Adds an extension of the protocol (SEP-2133): clients see it in `capabilities.extensions`, and may call its
    /// methods. `name` has a vendor prefix, as "com.example/jobs" has; `settings` are what clients are to know of it.
    /// The handlers take a `request_context&` if they want one, see `requester`; members of params that they do not
    /// know are ignored unless their options say otherwise. A result is an object, or nothing, which is sent as `{}`;
    /// from 2026-07-28 on it gets `resultType` "complete" and who the server is, unless it has a type of its own.
    /// `missing_capability`, thrown, names what the client lacks. Notifications, and nothing else, have names that
    /// begin with "notifications/".
    ///
    /// An extension that has methods, of which a client may call none, is not declared to it. A client in a session
    /// that began with `initialize` does not learn of one that is added later, and may call it. It stays.
    ///
    ///     partyline::method_table methods;
    ///     methods.add("jobs/list", [](partyline::request_context& rpc) { return jobs_of(rpc.peer().principal); });
    ///     server.add_extension("com.example/jobs", {{"states", true}}, std::move(methods));
    ///
    /// Errors: `std::invalid_argument`: a name without prefix, or that is there already; a method of the protocol's own
    /// or of another extension; a fallback, or `rpc.discover`, in the table; a topic with the member of another one.
    void add_extension(std::string name, boost::json::object settings = {}, method_table methods = {},
                       extension_options how = {});

    /// The resource has changed: whoever has subscribed to it is told.
    void resource_updated(std::string uri);

    /// There are other resources than before, of those that a template lists: clients that want to know are told. (Of
    /// what is added and removed here they are told anyhow.)
    void resources_changed();

    /// Signs by these keys from now on, and accepts nothing that others have signed: see `server_options::state_keys`,
    /// in whose place they come.
    void use_state_keys(const state_keys& keys);

    /// Serves one peer over standard input and output until input ends: see partyline::run_stdio.
    int run_stdio(stdio_options options = {});

    /// Serves a peer over any stream: `async_run` of the session begins it.
    template <class Stream>
    session serve(Stream stream, session_options options = {})
    {
        prepare(options);
        return session(std::move(stream), methods(), std::move(options));
    }

    /// For `partyline::server` and others that make sessions: sets the profile of their options, and gives what they
    /// serve. The profile is good for as long as this is there, or somebody has these methods, or a session that it was
    /// given to.
    void prepare(session_options& options) const;
    /// What sessions serve, now and after changes: see `prepare`.
    std::shared_ptr<const dispatcher> methods() const;
    /// Both as `served_methods`, for one who makes sessions later, perhaps when this has gone.
    served_methods session_maker() const;
    /// The arguments of a tool that clients over HTTP repeat in fields (2026-07-28, `x-mcp-header` in the input
    /// schema): what the field is called behind "Mcp-Param-", and the names of properties that lead to the argument.
    /// May be asked when this has gone.
    std::function<std::vector<std::pair<std::string, std::vector<std::string>>>(std::string_view tool)>
    mirrored_arguments() const;

private:
    feature_handle insert_tool(std::string name, std::string description, detail::tool_binding bound,
                               tool_options options);
    feature_handle insert_resource(std::string uri, std::string name, std::string description,
                                   std::unique_ptr<detail::call_handler> reads, resource_options options);
    feature_handle insert_template(std::string uri_template, std::string name, std::string description,
                                   detail::template_binding bound, resource_options options);
    feature_handle insert_prompt(std::string name, std::string description, detail::prompt_binding bound,
                                 prompt_options options);
    server_core& core() const;

    std::shared_ptr<server_core> core_; // null when moved from
};

/// What a resource's or a template's function throws when there is nothing: the client is told so, with the URI.
class PARTYLINE_EXPORT resource_not_found : public std::exception {
public:
    /// A fixed text: the client is told more.
    const char* what() const noexcept override { return "resource not found"; }
};

} // namespace partyline::mcp
