#pragma once

namespace command_line {

/// For a program that is linked statically, before it looks up a name of a host: has that done by the program alone, by
/// /etc/hosts and DNS. Of the ways that /etc/nsswitch.conf names, glibc would load the others from shared libraries,
/// which are made for another version of it. Any other program does as the system says.
void look_up_names_alone();

} // namespace command_line
