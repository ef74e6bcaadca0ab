# frozen_string_literal: true

require 'spec_helper'

# Values that catalogs in JSON have in another form.
describe 'motd' do
  let(:pre_condition) do
    <<~'CODE'
      define values($data) { }
      $binary = Binary('AP8K', '%B')
      values { 'a':
        data => { 'binary' => $binary, 'list' => [$binary, Integer], 'pattern' => /a+/, 'time' => Timespan(90), $binary => 1,
                  'none' => undef, 'default' => default, 'version' => SemVer('1.2.3'), 'resource' => Package['a'] },
      }
      package { 'a': }
      file {
        '/tmp/binary': content => $binary;
        '/tmp/secret': content => Sensitive($binary);
      }
    CODE
  end
  let(:data) { catalogue.resource('values', 'a')[:data] }

  it { is_expected.to contain_file('/tmp/binary').with_content("\0\xFF\n".b) }
  it { is_expected.to contain_file('/tmp/secret').with_content(sensitive("\0\xFF\n".b)) }
  it { expect(data['binary']).to eq("\0\xFF\n".b) }
  it { expect(data['list'].map(&:to_s)).to eq(["\0\xFF\n".b, 'Integer']) }
  it { expect(data['pattern']).to eq(/a+/) }
  it { expect(data['resource'].ref).to eq('Package[a]') }
  it { expect(data.keys.map { |key| key.class.to_s.split('::').last }.uniq).to eq(%w[String Binary]) }
  it { expect(data['time'].to_s).to eq('0-00:01:30.0') }
  it { expect(data.values_at('none', 'default', 'version').map(&:to_s)).to eq(['', 'default', '1.2.3']) }
end
