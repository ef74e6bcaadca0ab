type A::Text = String
