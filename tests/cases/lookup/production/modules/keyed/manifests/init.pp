class keyed($short, $name_that_no_buffer_of_a_short_text_holds, $last) {
  notify { 'all': message => [$short, $name_that_no_buffer_of_a_short_text_holds, $last] }
}
