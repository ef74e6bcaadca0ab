function m::data() {
  { 'm::x' => 'x of m', 'm::y' => 'y of m', 'a' => 'not qualified' }
}
