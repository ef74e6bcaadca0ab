// The labels (contexts) of files on hosts with SELinux, by libselinux, which is loaded when the
// first file needs it. Used by one thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace bunraku::apply {

// Returns whether SELinux is enabled on this host and libselinux is installed. Decided once in a
// process.
bool has_labels();

// Returns whether the file system of the path can store labels: ext2 to ext4, gfs2, xfs, jfs,
// btrfs, tmpfs and zfs, as in the reference. The file may be missing.
bool can_be_labelled(const std::string& path);

// The label of a file, or of the link itself; no value if it has none. The functions below take
// place where has_labels() is true.
std::optional<std::string> label_of(const std::string& path);
// The label that the policy has for the path; no value if it has none. `type` is the type of a
// missing file (S_IFREG, S_IFDIR or S_IFLNK), 0 when it is not known.
std::optional<std::string> default_label_of(const std::string& path, mode_t type);
// Each returns whether it succeeded.
bool set_label(const std::string& path, const std::string& label);
bool set_label(int descriptor, const std::string& label);

// The part of a label that a property has: seluser, selrole, seltype or selrange. No value if the
// label has no such part. Throws Failure for text of another form.
std::optional<std::string> part_of_label(const std::string& label, std::string_view property);
// The label with another part. A missing range is added.
std::string with_part(const std::string& label, std::string_view property,
                      const std::string& value);

// The range for a name that the policy gives it ("SystemHigh"); other text unchanged.
std::string range_of_name(const std::string& name);

// Sets the policy's label of a file that was rewritten, where labels are used.
void restore_default_label(const std::string& path);

}  // namespace bunraku::apply
