function environment::own() {
  "of the environment ${lookup('plain')}"
}
