// Finds modules of a Puppetfile in the caches of r10k and g10k, without a network.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku::compilation {

struct DeclaredModule {
  std::string name;      // "stdlib"
  std::string release;   // on the Forge: "puppetlabs-stdlib-9.4.1"; empty without a version
  std::string remote;    // of git; empty for the Forge
  std::string revision;  // a tag, a branch or a commit; "HEAD" when none is given
};

// The modules in a Puppetfile of the usual form.
std::vector<DeclaredModule> declared_modules(std::string_view puppetfile);

// The existing cache directories of r10k ($HOME/.r10k, /var/cache/r10k,
// /opt/puppetlabs/puppet/cache/r10k) and g10k ($g10k_cachedir, /tmp/g10k).
std::vector<std::string> module_caches();

// Unpacks the module into the new directory `target` if one of the caches has the declared version.
// Otherwise returns false and writes nothing. Throws FileError when it cannot be unpacked.
bool unpack_cached_module(const DeclaredModule& module, const std::vector<std::string>& caches,
                          const std::string& target);

}  // namespace bunraku::compilation
