# Common tools, and packages that must not be installed.
class profile::packages (
  Array[String[1]]                    $present = [],
  Array[String[1]]                    $absent  = [],
  Hash[String[1], String[1]]          $pinned  = {},
) {
  ensure_packages($present - $absent)

  $pinned.each |$name, $version| {
    package { $name:
      ensure => $version,
      tag    => 'pinned',
    }
  }

  $absent.each |$name| {
    package { $name:
      ensure => purged,
    }
  }

  Package <| tag == 'pinned' |> -> Package <| ensure == 'purged' |>
}
