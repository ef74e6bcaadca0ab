// The common part of all package providers.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/transaction/resource.h"

namespace bunraku::apply {

inline constexpr std::string_view kPresent = "present";
inline constexpr std::string_view kAbsent = "absent";
inline constexpr std::string_view kPurged = "purged";
inline constexpr std::string_view kLatest = "latest";
inline constexpr std::string_view kDisabled = "disabled";

// The state of one package on the host.
struct PackageState {
  Datum ensure = Datum::symbol(kPurged);  // the version, or the symbols absent and purged
  Datum mark = Datum::symbol("none");
  std::string error = "ok";
  std::string name;
  Datum flavor = {};  // a variant of the package, or the symbol absent; null: it has none
};

// The interface of package providers that the type uses.
class PackageProvider : public Provider {
 public:
  explicit PackageProvider(Resource& resource) : resource_(resource) {}
  virtual void install() = 0;
  virtual void update() { install(); }
  virtual void uninstall() = 0;
  virtual void purge() { uninstall(); }
  // Makes the package unavailable, where the provider has the feature disableable.
  virtual void disable() {}
  virtual void set_hold(bool) {}
  // The newest available version; empty when it is unknown.
  virtual std::string latest() = 0;
  // Returns whether the installed version equals the desired one in another notation.
  virtual bool is_version(const Datum&, const std::string&) { return false; }
  virtual PackageState query() = 0;

  // The state found by prefetching, or by a query now.
  const PackageState& state() {
    if (!state_) state_ = query();
    return *state_;
  }
  void set_state(PackageState state) { state_ = std::move(state); }
  // The newest available version, queried once.
  const std::string& latest_version() {
    if (!latest_) latest_ = latest();
    return *latest_;
  }
  bool knows_latest() const { return latest_.has_value() && !latest_->empty(); }

  Datum get(std::string_view property) override {
    if (property == "ensure") return state().ensure;
    if (property == "mark") return state().mark;
    if (property == "flavor") return state().flavor;
    return Datum();
  }
  void set(std::string_view property, const Datum& value) override {
    if (property != "mark") return Provider::set(property, value);
    has_set_mark_ = true;
    set_hold(value.is_symbol("hold"));
  }

 protected:
  Resource& resource_;
  bool has_set_mark_ = false;

 private:
  std::optional<PackageState> state_;
  std::optional<std::string> latest_;
};

// Returns whether the value is none of absent, purged and disabled.
bool is_installed(const Datum& ensure);
// Splits a line at blanks.
std::vector<std::string> words_of(std::string_view line);
// Options as command-line words: texts unchanged, entries of a hash as "key=value".
std::vector<std::string> option_words(const Datum& options);
// Returns whether all of them are executable.
bool have_programs(std::initializer_list<const char*> paths);

std::unique_ptr<ProviderKind> make_apt_kind();
std::unique_ptr<ProviderKind> make_dpkg_kind();
std::unique_ptr<ProviderKind> make_rpm_kind();
std::unique_ptr<ProviderKind> make_yum_kind();
std::unique_ptr<ProviderKind> make_dnf_kind();
std::unique_ptr<ProviderKind> make_dnf_module_kind();
std::unique_ptr<ProviderKind> make_zypper_kind();
std::unique_ptr<ProviderKind> make_gem_kind();
std::unique_ptr<ProviderKind> make_puppet_gem_kind();
std::unique_ptr<ProviderKind> make_puppetserver_gem_kind();
std::unique_ptr<ProviderKind> make_pip_kind();
std::unique_ptr<ProviderKind> make_pip3_kind();

}  // namespace bunraku::apply
