// Modules of a Puppetfile from what r10k and g10k keep of earlier deployments, without a network.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku::compilation {

struct DeclaredModule {
  std::string name;      // "stdlib"
  std::string release;   // of the Forge: "puppetlabs-stdlib-9.4.1"; empty without a version
  std::string remote;    // of git; empty for the Forge
  std::string revision;  // a tag, a branch or a commit; "HEAD" when none is said
};

// The modules of a Puppetfile as it is usually written.
std::vector<DeclaredModule> declared_modules(std::string_view puppetfile);

// The directories of caches that exist: of r10k ($HOME/.r10k, /var/cache/r10k,
// /opt/puppetlabs/puppet/cache/r10k) and of g10k ($g10k_cachedir, /tmp/g10k).
std::vector<std::string> module_caches();

// Puts the module into the new directory `target` when one of the caches has it in the version that
// is declared. Not cached: false, and nothing is written. Throws FileError when it cannot be
// unpacked.
bool unpack_cached_module(const DeclaredModule& module, const std::vector<std::string>& caches,
                          const std::string& target);

}  // namespace bunraku::compilation
