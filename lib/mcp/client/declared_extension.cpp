#include "mcp/client/declared_extension.hpp"

#include "mcp/wire/written_object.hpp"

#include <stdexcept>
#include <utility>

namespace partyline::mcp {

declared_extension::declared_extension(std::string named, boost::json::object with, method_table has,
                                       client_extension_options how)
    : name(checked_extension_name(std::move(named))), settings(std::move(with)),
      methods(std::make_shared<const extension_methods>(name, std::move(has))), options(std::move(how))
{
    object_text(settings); // what can't be sent is found here, and not when something is to be
    for (const auto& [of, function] : options.results) {
        const auto& [method, type] = of;
        if (!function || method.empty() || type.empty() || type == "complete" || type == "input_required")
            throw std::invalid_argument("the extension \"" + name + "\": no function makes results of " + method +
                                        " of the type \"" + type + '"');
    }
}

} // namespace partyline::mcp
