// The resource types that this host can apply.
#pragma once

#include <memory>
#include <vector>

#include "apply/transaction/resource_type.h"

namespace bunraku::apply {

// All native types, with their providers. Built once.
const TypeRegistry& native_types_registry();

// The makers of the types; add_native_types in registry.cc calls them all.
std::unique_ptr<ResourceType> make_augeas_type();
std::unique_ptr<ResourceType> make_cron_type();
std::unique_ptr<ResourceType> make_host_type();
std::unique_ptr<ResourceType> make_mailalias_type();
std::unique_ptr<ResourceType> make_mount_type();
std::unique_ptr<ResourceType> make_ssh_authorized_key_type();
std::unique_ptr<ResourceType> make_sshkey_type();
std::unique_ptr<ResourceType> make_exec_type();
std::unique_ptr<ResourceType> make_file_type();
std::unique_ptr<ResourceType> make_filebucket_type();
std::unique_ptr<ResourceType> make_group_type();
std::unique_ptr<ResourceType> make_notify_type();
std::unique_ptr<ResourceType> make_resources_type();
std::unique_ptr<ResourceType> make_tidy_type();
std::unique_ptr<ResourceType> make_selboolean_type();
std::unique_ptr<ResourceType> make_selmodule_type();
std::unique_ptr<ResourceType> make_user_type();
std::unique_ptr<ResourceType> make_yumrepo_type();

// `more` are providers of modules. A module's provider replaces one that the reference has and that
// is only known by name here (foreign_providers.h); a native provider of the name takes precedence.
std::unique_ptr<ResourceType> make_package_type(
    std::vector<std::unique_ptr<ProviderKind>> more = {});
std::unique_ptr<ResourceType> make_service_type(
    std::vector<std::unique_ptr<ProviderKind>> more = {});

}  // namespace bunraku::apply
