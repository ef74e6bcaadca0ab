function environment::data() {
  { 'a' => 'of the function', 'm::x' => 'x of the environment', 'i' => "%{facts.site} %{lookup('a')}" }
}
