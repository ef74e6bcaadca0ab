type Typed::Text = String
