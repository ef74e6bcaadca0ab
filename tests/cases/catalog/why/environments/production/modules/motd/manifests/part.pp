define motd::part(String $text, Integer $order = 10) {
  notify { "part ${title}": message => "${order} ${text}", tag => 'part' }
}
