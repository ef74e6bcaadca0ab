function m::language(Integer $n) >> Integer {
  $n * 2
}
