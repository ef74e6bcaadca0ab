type Profile::Mount = Struct[{
  device            => Variant[Stdlib::Absolutepath, Pattern[/\A(UUID|LABEL)=/]],
  fstype            => Enum[ext4, xfs, tmpfs, nfs4],
  Optional[options] => Array[String[1], 1],
}]
