// What all providers of packages have in common.
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

// What is known of one package on the host.
struct PackageState {
  Datum ensure = Datum::symbol(kPurged);  // its version, or the symbols absent and purged
  Datum mark = Datum::symbol("none");
  std::string error = "ok";
  std::string name;
};

// A provider of packages, as the type asks it.
class PackageProvider : public Provider {
 public:
  explicit PackageProvider(Resource& resource) : resource_(resource) {}
  virtual void install() = 0;
  virtual void update() { install(); }
  virtual void uninstall() = 0;
  virtual void purge() { uninstall(); }
  virtual void set_hold(bool) {}
  // The newest version that there is; empty when it is not known.
  virtual std::string latest() = 0;
  // Is what is installed the version that is wanted, though it is written in another way?
  virtual bool is_version(const Datum&, const std::string&) { return false; }
  virtual PackageState query() = 0;

  // What prefetching found, or what is asked now.
  const PackageState& state() {
    if (!state_) state_ = query();
    return *state_;
  }
  void set_state(PackageState state) { state_ = std::move(state); }
  // The latest version, asked for once.
  const std::string& latest_version() {
    if (!latest_) latest_ = latest();
    return *latest_;
  }
  bool knows_latest() const { return latest_.has_value() && !latest_->empty(); }

  Datum get(std::string_view property) override {
    if (property == "ensure") return state().ensure;
    if (property == "mark") return state().mark;
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

// Is it neither absent, purged nor disabled?
bool is_installed(const Datum& ensure);
// What stands between blanks.
std::vector<std::string> words_of(std::string_view line);
// Options as words of a command: texts as they are, pairs of a hash as "key=value".
std::vector<std::string> option_words(const Datum& options);
// Can all of them be executed?
bool have_programs(std::initializer_list<const char*> paths);

std::unique_ptr<ProviderKind> make_apt_kind();
std::unique_ptr<ProviderKind> make_dpkg_kind();
std::unique_ptr<ProviderKind> make_rpm_kind();
std::unique_ptr<ProviderKind> make_yum_kind();
std::unique_ptr<ProviderKind> make_dnf_kind();
std::unique_ptr<ProviderKind> make_zypper_kind();
std::unique_ptr<ProviderKind> make_gem_kind();
std::unique_ptr<ProviderKind> make_pip_kind();
std::unique_ptr<ProviderKind> make_pip3_kind();

}  // namespace bunraku::apply
