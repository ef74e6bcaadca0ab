# Choices for random generators. They use `@random`, so that the same seed produces the same result.
module Oracle
  module RandomChoice
    private

    def chance(percent)
      @random.rand(100) < percent
    end

    def pick(list)
      list[@random.rand(list.size)]
    end
  end
end
