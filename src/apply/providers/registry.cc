// The list of native types.
#include "apply/providers/registry.h"

#include "apply/transaction/catalog.h"

namespace bunraku::apply {

const TypeRegistry& native_types_registry() {
  static const TypeRegistry& registry = []() -> const TypeRegistry& {
    auto* made = new TypeRegistry;  // lives as long as the process
    add_builtin_types(*made);
    made->add(make_augeas_type());
    made->add(make_cron_type());
    made->add(make_host_type());
    made->add(make_mailalias_type());
    made->add(make_mount_type());
    made->add(make_ssh_authorized_key_type());
    made->add(make_sshkey_type());
    made->add(make_exec_type());
    made->add(make_file_type());
    made->add(make_filebucket_type());
    made->add(make_group_type());
    made->add(make_notify_type());
    made->add(make_resources_type());
    made->add(make_tidy_type());
    made->add(make_package_type());
    made->add(make_selboolean_type());
    made->add(make_selmodule_type());
    made->add(make_service_type());
    made->add(make_user_type());
    made->add(make_yumrepo_type());
    return *made;
  }();
  return registry;
}

}  // namespace bunraku::apply
