# Libraries that the reference has loaded, without a require.
Puppet::Functions.create_function(:'m::libraries') do
  dispatch :libraries do
  end

  def labels
    Object.new.extend(Puppet::Util::SELinux)
  end

  def libraries
    [
      [1, nil].to_json, { 'a' => 1 }.to_yaml, [1, 1].to_set.size, Time.parse('2020-01-01 00:00:00 UTC').to_i,
      Time.at(0).utc.iso8601, Time.at(0).utc.to_date.to_s, Time.strptime('2020', '%Y').year, [1].to_pson,
      Time.at(0).httpdate, StringScanner.new('ab').scan(/a/), nil.to_json, 1.respond_to?(:to_json),
      `exit 3` && $CHILD_STATUS.exitstatus, $PID == Process.pid, 'abc' =~ /b/ && $MATCH, Ripper.name, GetoptLong.name,
      labels.parse_selinux_context(:seltype, 'system_u:object_r:etc_t:s0'),
      Object.new.extend(Puppet::Util::Diff).lcs_diff("a\nb\n", "a\nc\n").lines.last(3),
    ]
  end
end
