type Environment::Text = String
