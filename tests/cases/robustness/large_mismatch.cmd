# The members of a large value are described as quickly as those of a small one.
bunraku eval -e '
  $hash = Hash(Integer[1, 100000].map |$x| { [$x * 2, [$x]] })
  assert_type(Hash[String, String], $hash)' 2>&1 | head -c 150
