# What a large value is made of is told as fast as what a small one is.
bunraku eval -e '
  $hash = Hash(Integer[1, 100000].map |$x| { [$x * 2, [$x]] })
  assert_type(Hash[String, String], $hash)' 2>&1 | head -c 150
