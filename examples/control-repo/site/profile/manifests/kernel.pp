# Kernel parameters, one file for all, and the modules to load at boot.
class profile::kernel (
  Hash[Pattern[/\A[a-z0-9_.]+\z/], Variant[Integer, String[1]]] $parameters   = {},
  Array[String[1]]                                            $modules      = [],
  Boolean                                                     $huge_pages   = false,
) {
  $computed = $huge_pages ? {
    true  => { 'vm.nr_hugepages' => profile::share_of_memory(0.25) / 2 },
    false => {},
  }
  $all = $parameters + $computed

  file { '/etc/sysctl.d/60-site.conf':
    ensure  => file,
    mode    => '0644',
    content => $all.keys.sort.map |$key| { "${key} = ${all[$key]}\n" }.join,
    notify  => Exec['sysctl --system'],
  }

  exec { 'sysctl --system':
    refreshonly => true,
    unless      => ['test -e /.dockerenv'],
  }

  unless $modules.empty {
    file { '/etc/modules-load.d/site.conf':
      ensure  => file,
      mode    => '0644',
      content => $modules.join("\n"),
    }
    $modules.each |$module| {
      exec { "modprobe ${module}":
        unless => "grep -qw ^${module} /proc/modules",
      }
    }
  }

  if versioncmp($facts['kernelversion'], '6.0.0') >= 0 {
    file { '/etc/sysctl.d/61-recent.conf':
      ensure  => file,
      mode    => '0644',
      content => "kernel.io_uring_disabled = 2\n",
      notify  => Exec['sysctl --system'],
    }
  }
}
