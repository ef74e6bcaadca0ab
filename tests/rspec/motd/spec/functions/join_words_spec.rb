# frozen_string_literal: true

require 'spec_helper'

describe 'motd::join_words' do
  it { is_expected.to run.with_params(%w[a b]).and_return('a b') }
  it { is_expected.to run.with_params(1).and_raise_error(ArgumentError, /expects an Array/) }
end
