Puppet::DataTypes.create_type('M::Person') do
  interface <<-PUPPET
    attributes => {
      name => String[1],
      year => { type => Integer, value => 1990 },
      age => { type => Integer, kind => derived },
      shown => { type => String, kind => derived },
    },
    functions => {
      greet => Callable[[String], String],
      older => Callable[[Integer], Boolean],
      each_letter => Callable[[0, 0, Callable[1, 1]], Any],
      missing => Callable[[], String],
    }
  PUPPET

  implementation do
    def age
      2020 - @year
    end

    def shown
      "#{name} (#{age})"
    end

    def greet(greeting)
      "#{greeting} #{name}"
    end

    def older(than)
      age > than
    end

    def each_letter
      name.chars.each { |letter| yield(letter) }
      name.size
    end
  end
end
