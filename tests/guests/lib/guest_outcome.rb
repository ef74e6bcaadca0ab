require 'yaml'
require_relative '../../oracle/lib/apply_outcome'

# The state that a run has left behind in a guest.
class GuestOutcome < Outcome
  STATE = {
    'services' => 'systemctl list-unit-files --type service --no-pager --no-legend | sort',
    'active' => 'systemctl list-units --type service --state active --plain --no-pager --no-legend | cut -d" " -f1 | sort',
    'packages' => "dpkg-query -W -f '${Package} ${Version} ${Status}\n'",
    'manual' => 'apt-mark showmanual',
    'users' => 'cat /etc/passwd /etc/group /etc/gshadow; cut -d: -f1,2,4- /etc/shadow',
    'crontabs' => 'grep -rs "" /var/spool/cron/crontabs | grep -v "# HEADER" | grep -v "^[^:]*:# ("',
    'databases' => 'mysql -NBe "show databases; select user, host, max_user_connections, authentication_string from mysql.user order by 1, 2; ' \
                   'select * from mysql.db" 2> /dev/null; su postgres -c "psql -Atc \'\\du\' -c \'\\l\'" 2> /dev/null',
    'keys' => 'apt-key list 2> /dev/null',
    'labels' => 'getfattr -h -d -m security.selinux -R /srv/test/labels 2> /dev/null | grep . | paste - - | sort',
    'mounts' => 'cut -d" " -f2- /proc/mounts | grep /srv/test',
    'files' => 'cd / && find srv/test etc/apt etc/sample.conf etc/hosts etc/fstab etc/aliases etc/yum.repos.d root/.ssh -printf "%p %y %m %u %g %l\n" 2>/dev/null | sort; ' \
               'grep -rs "" /srv/test /etc/hosts /etc/fstab /etc/aliases /etc/sample.conf /etc/yum.repos.d | grep -v "# HEADER" | sort -s -t: -k1,1'
  }.freeze

  REPORT = '/var/cache/puppet/state/last_run_report.yaml'.freeze

  # The state is read in the guest, and not from a directory as in the parent class.
  def initialize(guest, output, status) # rubocop:disable Lint/MissingSuper
    @root = '/no-such-root'
    @output = lines_of(output)
    @status = status
    @tree = self.class::STATE.flat_map { |name, command| plain(guest.run(command)[0]).lines.map { |line| "#{name}: #{line.chomp}" } }
    @report = report_of(guest.path(self.class::REPORT)).map { |line| with_label(line) }
  end

  def changes = report.grep(%r{\A/metrics/changes/values/0/2: [^0]}) + report.grep(%r{\A/metrics/events/values.*[Ff]ailure.*: [1-9]})

  private

  # Reports of the reference have parts of SELinux labels in base64: D715.
  def with_label(line)
    line.sub(/(?<=_value: ")[A-Za-z0-9+\/]+=*(?="\z)/) do |text|
      decoded = text.unpack1('m')
      decoded.match?(/\A(\w+_[urt]|s\d[\w:.,]*)\z/) ? decoded : text
    end
  end

  # Masks process numbers, and times where the system's own journal prints them. Guests have no address. Version 7 of the reference uses
  # another option of apt-get than version 8, which apt-get warns about. libselinux prints a message about a link in a missing
  # directory when the reference requests its label.
  def plain(text)
    super.gsub(/^symlink_realpath\(.*\n/, '').gsub(/^Warning: Could not retrieve either serverip or serverip6 fact\n/, '').gsub(/\b[A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d/, '<time>').gsub(/\[\d+\]/, '[<pid>]')
         .gsub(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/, '<time>')
         .gsub('--force-confold --force-yes', '--force-confold --allow-downgrades')
         .gsub(/\n?W: --force-yes is deprecated, use one of the options starting with --allow instead\./, '')
  end
end
