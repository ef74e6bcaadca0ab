function environment::data() {
  { 'a' => 'of the function', 'i' => '%{facts.none} interpolated' }
}
