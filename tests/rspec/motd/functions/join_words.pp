# Joins words in one line.
function motd::join_words(Array[String] $words) >> String {
  $words.join(' ')
}
