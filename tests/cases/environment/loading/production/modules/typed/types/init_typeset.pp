type Typed = TypeSet[{pcore_version => "1.0.0", version => "1.0.0", types => {Car => Object[{attributes => {n => String}}]}}]
