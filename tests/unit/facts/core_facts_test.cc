// Core facts over recorded trees of files.
#include "facts/core_facts.h"

#include <doctest/doctest.h>

#include "facts/recorded_machine.h"
#include "facts/units.h"

namespace bunraku::facts {
namespace {

using Family = InterfaceAddress::Family;

TEST_CASE("a machine without files has few facts, and no fact is wrong") {
  const RecordedMachine machine;
  CHECK(machine.fact("kernel") == R"("Linux")");
  CHECK(machine.fact("memory") == "(none)");
  CHECK(machine.fact("disks") == "(none)");
  CHECK(machine.fact("virtual") == R"("physical")");
  CHECK(machine.fact("is_virtual") == "false");
}

TEST_CASE("the kernel's version is its first three numbers") {
  RecordedMachine machine;
  CHECK(machine.fact("kernelversion") == R"("6.1.0")");
  CHECK(machine.fact("kernelmajversion") == R"("6.1")");
  machine.kernel_name.release = "5";
  CHECK(machine.fact("kernelversion") == R"("5")");
  CHECK(machine.fact("kernelmajversion") == R"("5")");
}

TEST_CASE("Debian's release is that of debian_version") {
  RecordedMachine machine;
  machine.write("/etc/os-release",
                "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\n"
                "VERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\nID=debian\n");
  machine.write("/etc/debian_version", "12.08\n");
  CHECK(machine.fact("os.name") == R"("Debian")");
  CHECK(machine.fact("os.family") == R"("Debian")");
  CHECK(machine.fact("os.architecture") == R"("amd64")");
  CHECK(machine.fact("os.hardware") == R"("x86_64")");
  CHECK(machine.fact("os.release") == R"({"full":"12.08","major":"12","minor":"8"})");
  CHECK(machine.fact("os.distro.codename") == R"("bookworm")");
  CHECK(machine.fact("os.distro.id") == R"("Debian")");
  CHECK(machine.fact("operatingsystemrelease") == R"("12.08")");
  // Without the program lsb_release there are no lsb facts.
  CHECK(machine.fact("lsbdistcodename") == "(none)");
  machine.write("/etc/debian_version", "trixie/sid\n");
  CHECK(machine.fact("os.release") == R"({"full":"trixie/sid","major":"trixie/sid"})");
}

TEST_CASE("other distributions") {
  RecordedMachine machine;
  SUBCASE("Ubuntu") {
    machine.write("/etc/os-release",
                  "NAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\nID=ubuntu\nID_LIKE=debian\n"
                  "VERSION=\"22.04.4 LTS (Jammy Jellyfish)\"\n");
    CHECK(machine.fact("os.release") == R"({"full":"22.04","major":"22.04"})");
    CHECK(machine.fact("os.family") == R"("Debian")");
    CHECK(machine.fact("os.distro.codename") == R"("Jammy Jellyfish")");
  }
  SUBCASE("Rocky") {
    machine.write("/etc/os-release",
                  "NAME=\"Rocky Linux\"\nVERSION_ID=\"9.3\"\nID=\"rocky\"\n"
                  "ID_LIKE=\"rhel centos fedora\"\n");
    machine.write("/etc/redhat-release", "Rocky Linux release 9.3 (Blue Onyx)\n");
    CHECK(machine.fact("os.name") == R"("Rocky")");
    CHECK(machine.fact("os.family") == R"("RedHat")");
    CHECK(machine.fact("os.architecture") == R"("x86_64")");
    CHECK(machine.fact("os.release") == R"({"full":"9.3","major":"9","minor":"3"})");
    CHECK(machine.fact("os.distro.codename") == R"("Blue Onyx")");
    CHECK(machine.fact("os.distro.id") == R"("Rocky")");
    CHECK(machine.fact("processors.isa") == R"("x86_64")");
  }
  SUBCASE("Red Hat") {
    machine.write("/etc/os-release",
                  "NAME=\"Red Hat Enterprise Linux\"\nVERSION_ID=\"8.9\"\nID=\"rhel\"\n");
    machine.write("/etc/redhat-release", "Red Hat Enterprise Linux release 8.9 (Ootpa)\n");
    CHECK(machine.fact("os.name") == R"("RedHat")");
    CHECK(machine.fact("os.distro.id") == R"("RedHatEnterprise")");
  }
  SUBCASE("SLES") {
    machine.write("/etc/os-release", "NAME=\"SLES\"\nVERSION_ID=\"15.5\"\nID=\"sles\"\n");
    CHECK(machine.fact("os.family") == R"("Suse")");
    CHECK(machine.fact("os.release") == R"({"full":"15.5","major":"15","minor":"5"})");
    CHECK(machine.fact("os.distro.codename") == R"("n/a")");
  }
  SUBCASE("Alpine") {
    machine.write("/etc/os-release", "NAME=\"Alpine Linux\"\nID=alpine\nVERSION_ID=3.19.1\n");
    machine.write("/etc/alpine-release", "3.19.1\n");
    CHECK(machine.fact("os.release.full") == R"("3.19.1")");
    CHECK(machine.fact("os.family") == R"("Alpine")");
  }
  SUBCASE("Arch") {
    machine.write("/etc/os-release", "NAME=\"Arch Linux\"\nID=arch\n");
    CHECK(machine.fact("os.name") == R"("Archlinux")");
    CHECK(machine.fact("os.family") == R"("Archlinux")");
  }
}

TEST_CASE("memory") {
  RecordedMachine machine;
  machine.write("/proc/meminfo",
                "MemTotal:        2048000 kB\nMemFree:   100 kB\nMemAvailable:    1024000 kB\n"
                "Buffers: 1 kB\nCached: 2 kB\nSwapTotal:  0 kB\nSwapFree:  0 kB\n");
  CHECK(machine.fact("memory.system") ==
        R"({"available":"1000.00 MiB","available_bytes":1048576000,"capacity":"50.00%",)"
        R"("total":"1.95 GiB","total_bytes":2097152000,"used":"1000.00 MiB",)"
        R"("used_bytes":1048576000})");
  CHECK(machine.fact("memory.swap") == "(none)");
  CHECK(machine.fact("memorysize_mb") == "2000.0");
  machine.write("/proc/meminfo",
                "MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 100 kB\nCached: 200 kB\n"
                "SwapTotal: 10 kB\nSwapFree: 5 kB\n");
  CHECK(machine.fact("memory.system.available_bytes") == "409600");
  CHECK(machine.fact("memory.swap.capacity") == R"("50.00%")");
}

TEST_CASE("processors") {
  RecordedMachine machine;
  machine.write("/proc/cpuinfo",
                "processor\t: 0\nmodel name\t: Fast: One\ncpu MHz\t\t: 2400.123\n"
                "physical id\t: 0\n\nprocessor\t: 1\nmodel name\t: One\ncpu MHz\t\t: 2394.4\n"
                "physical id\t: 1\n");
  machine.write("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n");
  machine.write("/sys/devices/system/cpu/cpu0/topology/core_siblings_list", "0-3,8-11\n");
  CHECK(machine.fact("processors") ==
        R"({"cores":4,"count":2,"isa":"unknown","models":["One","One"],"physicalcount":2,)"
        R"("speed":"2.39 GHz","threads":2})");
  CHECK(machine.fact("processor1") == R"("One")");
}

TEST_CASE("interfaces, and the one that leads outside") {
  RecordedMachine machine;
  machine.addresses = {{"lo", Family::kLink, "00:00:00:00:00:00", ""},
                       {"eth1", Family::kLink, "02:00:00:00:00:02", ""},
                       {"eth0", Family::kLink, "02:00:00:00:00:01", ""},
                       {"lo", Family::kIpv4, "127.0.0.1", "255.0.0.0"},
                       {"eth0", Family::kIpv4, "169.254.0.9", "255.255.0.0"},
                       {"eth0", Family::kIpv4, "10.1.2.3", "255.255.252.0"},
                       {"eth0", Family::kIpv6, "fe80::1", "ffff:ffff:ffff:ffff::"}};
  machine.routes = {{"eth0", "10.9.9.9", false}, {"eth9", "10.9.9.8", false}};
  machine.write("/proc/net/if_inet6", "fe800000000000000000000000000001 02 40 20 82     eth0\n");
  machine.write("/sys/class/net/eth0/ifindex", "2\n");
  machine.write("/run/systemd/netif/leases/2", "ADDRESS=10.1.2.3\nSERVER_ADDRESS=10.1.0.1\n");
  machine.write("/etc/resolv.conf", "nameserver 10.0.0.1\nsearch example.org example.com\n");
  CHECK(machine.fact("networking.primary") == R"("eth0")");
  CHECK(machine.fact("networking.ip") == R"("10.1.2.3")");
  CHECK(machine.fact("networking.network") == R"("10.1.0.0")");
  CHECK(machine.fact("networking.dhcp") == R"("10.1.0.1")");
  CHECK(machine.fact("networking.fqdn") == R"("web01.example.org")");
  CHECK(machine.fact("networking.interfaces.eth0.bindings6") ==
        R"([{"address":"fe80::1","netmask":"ffff:ffff:ffff:ffff::","network":"fe80::",)"
        R"("scope6":"link","flags":["noad","permanent"]}])");
  CHECK(
      machine.fact("networking.interfaces.eth0.bindings").ends_with(R"({"address":"10.9.9.9"}])"));
  CHECK(machine.fact("networking.interfaces.lo.mac") == "(none)");
  CHECK(machine.fact("interfaces") == R"("eth0,eth1,lo")");
  CHECK(machine.fact("macaddress_eth1") == R"("02:00:00:00:00:02")");
  CHECK(machine.fact("dhcp_servers") == R"({"eth0":"10.1.0.1","system":"10.1.0.1"})");
  machine.write("/proc/net/route",
                "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\n"
                "eth0\t0000A8C0\t0\t1\t0\t0\t0\t00FFFFFF\t0\n"
                "eth1\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0\n");
  CHECK(machine.fact("networking.primary") == R"("eth1")");
  CHECK(machine.fact("networking.ip") == "(none)");
  CHECK(machine.fact("macaddress") == R"("02:00:00:00:00:02")");
}

TEST_CASE("an interface of a bond shows its own address") {
  RecordedMachine machine;
  machine.addresses = {{"eth1", Family::kLink, "02:00:00:00:00:01", ""}};
  machine.link("/sys/class/net/eth1/master", "../bond0");
  machine.write("/proc/net/bonding/bond0",
                "Slave Interface: eth0\nPermanent HW addr: 02:00:00:00:00:01\n"
                "Slave Interface: eth1\nPermanent HW addr: 02:00:00:00:00:02\n");
  CHECK(machine.fact("macaddress_eth1") == R"("02:00:00:00:00:02")");
}

TEST_CASE("names of the host") {
  RecordedMachine machine;
  machine.host = "db.example.com";
  CHECK(machine.fact("networking.hostname") == R"("db")");
  CHECK(machine.fact("domain") == R"("example.com")");
  CHECK(machine.fact("fqdn") == R"("db.example.com")");
  machine.host = "db";
  machine.canonical = "db.lan";
  CHECK(machine.fact("domain") == R"("lan")");
  machine.canonical = "localhost";
  CHECK(machine.fact("domain") == "(none)");
  CHECK(machine.fact("fqdn") == R"("localhost")");
}

TEST_CASE("disks, partitions and mount points") {
  RecordedMachine machine;
  machine.write("/sys/block/sda/device/model", "QEMU HARDDISK   \n");
  machine.write("/sys/block/sda/size", "4194304\n");
  machine.write("/sys/block/sda/dev", "8:0\n");
  machine.write("/sys/block/sda/queue/rotational", "1\n");
  machine.write("/sys/block/sda/sda1/size", "2048\n");
  machine.write("/sys/block/sda/sda2/size", "4096\n");
  machine.write("/sys/block/sda/sda2/dev", "8:2\n");
  machine.write("/sys/block/dm-0/dm/name", "vg-root\n");
  machine.write("/sys/block/dm-0/size", "0\n");
  machine.write("/sys/block/loop0/loop/backing_file", "/srv/image\n");
  machine.write("/run/udev/data/b8:0", "S:disk\nE:ID_SERIAL_SHORT=WD-1\nE:ID_WWN=0x5\n");
  machine.write("/run/udev/data/b8:2", "E:ID_FS_TYPE=xfs\nE:ID_FS_UUID=u-2\n");
  machine.write("/proc/self/mounts",
                "/dev/sda1 / ext4 rw,relatime 0 0\n/dev/sda1 /again ext4 rw 0 0\n"
                "proc /proc proc rw 0 0\ntmpfs /sys/fs/x tmpfs rw 0 0\n"
                "auto /auto autofs rw 0 0\ntmpfs /with\\040blank tmpfs rw 0 0\n");
  machine.blocks["/dev/sda1"] = {"ext4", "u-1", "root", "p-1", ""};
  machine.sizes["/"] = {10000, 4000, 3000};
  CHECK(machine.fact("disks") == R"({"sda":{"model":"QEMU HARDDISK","serial":"WD-1",)"
                                 R"("size":"2.00 GiB","size_bytes":2147483648,"type":"hdd",)"
                                 R"("wwn":"0x5"}})");
  CHECK(machine.fact("blockdevice_sda_size") == "2147483648");
  CHECK(machine.fact("partitions") ==
        R"({"/dev/loop0":{"backing_file":"/srv/image","size":"0 bytes","size_bytes":0},)"
        R"("/dev/mapper/vg-root":{"size":"0 bytes","size_bytes":0},)"
        R"("/dev/sda1":{"filesystem":"ext4","label":"root","mount":"/","partuuid":"p-1",)"
        R"("size":"1.00 MiB","size_bytes":1048576,"uuid":"u-1"},)"
        R"("/dev/sda2":{"filesystem":"xfs","size":"2.00 MiB","size_bytes":2097152,)"
        R"("uuid":"u-2"}})");
  CHECK(machine.fact("mountpoints./") ==
        R"({"available":"2.93 KiB","available_bytes":3000,"capacity":"66.67%",)"
        R"("device":"/dev/sda1","filesystem":"ext4","options":["rw","relatime"],)"
        R"("size":"9.77 KiB","size_bytes":10000,"used":"5.86 KiB","used_bytes":6000})");
  CHECK(machine.fact("mountpoints./with blank.capacity") == R"("100%")");
  CHECK(machine.fact("mountpoints./sys/fs/x.device") == R"("tmpfs")");
  CHECK(machine.fact("mountpoints./proc") == "(none)");
  CHECK(machine.fact("mountpoints./auto") == "(none)");
}

TEST_CASE("what a machine runs on") {
  RecordedMachine machine;
  SUBCASE("KVM by the processor") {
    machine.signature = "KVMKVMKVM";
    CHECK(machine.fact("virtual") == R"("kvm")");
    CHECK(machine.fact("is_virtual") == "true");
    CHECK(machine.fact("hypervisors") == R"({"kvm":{}})");
  }
  SUBCASE("VMware by the firmware") {
    machine.write("/sys/class/dmi/id/sys_vendor", "VMware, Inc.\n");
    machine.write("/sys/class/dmi/id/product_name", "VMware Virtual Platform\n");
    CHECK(machine.fact("virtual") == R"("vmware")");
    CHECK(machine.fact("hypervisors.vmware") == "{}");
    CHECK(machine.fact("dmi.manufacturer") == R"("VMware, Inc.")");
  }
  SUBCASE("Docker by its control group") {
    machine.write("/proc/1/environ", "PATH=/bin");
    machine.write("/proc/1/cgroup", "4:cpu:/docker/abc\n0::/\n");
    machine.write("/proc/uptime", "5000.20 1.0\n");
    machine.write("/proc/1/stat",
                  "1 (a) b) S 0 1 1 0 -1 4194560 1 1 1 1 1 1 1 1 20 0 1 0 490000 1 1\n");
    CHECK(machine.fact("virtual") == R"("docker")");
    CHECK(machine.fact("hypervisors.docker") == R"({"id":"abc"})");
    CHECK(machine.fact("system_uptime.seconds") == "100");
  }
  SUBCASE("systemd-nspawn by its environment") {
    machine.write("/proc/1/environ", std::string("a=b\0container=systemd-nspawn\0", 29));
    machine.write("/proc/1/cgroup", "0::/\n");
    machine.write("/etc/machine-id", "0123\n");
    CHECK(machine.fact("hypervisors.systemd_nspawn.id") == R"("0123")");
  }
  SUBCASE("a privileged domain of Xen is hardware") {
    machine.write("/proc/xen/capabilities", "control_d\n");
    CHECK(machine.fact("virtual") == R"("xen0")");
    CHECK(machine.fact("is_virtual") == "false");
    CHECK(machine.fact("hypervisors.xen") == R"({"context":"pv","privileged":true})");
  }
  SUBCASE("VirtualBox by a device") {
    machine.write("/sys/bus/pci/devices/0000:00:02.0/vendor", "0x80ee\n");
    machine.write("/sys/firmware/dmi/tables/DMI", std::string("xvboxVer_7.0\0vboxRev_15\0", 24));
    CHECK(machine.fact("virtual") == R"("virtualbox")");
    CHECK(machine.fact("hypervisors.virtualbox") == R"({"revision":"15","version":"7.0"})");
  }
}

TEST_CASE("SELinux") {
  RecordedMachine machine;
  CHECK(machine.fact("os.selinux") == R"({"enabled":false})");
  machine.write("/proc/self/mounts", "selinuxfs /sys/fs/selinux selinuxfs rw 0 0\n");
  machine.write("/etc/selinux/config", "# SELINUX= is\nSELINUX=enforcing\nSELINUXTYPE=targeted\n");
  machine.write("/sys/fs/selinux/enforce", "1");
  machine.write("/sys/fs/selinux/policyvers", "33");
  CHECK(machine.fact("os.selinux") ==
        R"({"config_mode":"enforcing","config_policy":"targeted","current_mode":"enforcing",)"
        R"("enabled":true,"enforced":true,"policy_version":"33"})");
}

TEST_CASE("keys of the host, uptime, Ruby") {
  RecordedMachine machine;
  machine.write("/etc/ssh/ssh_host_ed25519_key.pub", "ssh-ed25519 AAAA root@web01\n");
  machine.write("/etc/ssh/ssh_host_rsa_key.pub", "\n");
  CHECK(machine.fact("ssh.ed25519.key") == R"("AAAA")");
  CHECK(machine.fact("ssh.ed25519.fingerprints.sha1") ==
        R"("SSHFP 4 1 29e2dcfbb16f63bb0254df7585a15bb6fb5e927d")");
  CHECK(machine.fact("sshed25519key") == R"("AAAA")");
  machine.write("/proc/uptime", "93784.99 1\n");
  CHECK(machine.fact("system_uptime") ==
        R"({"days":1,"hours":26,"seconds":93784,"uptime":"1 day"})");
  machine.write("/proc/loadavg", "0.00 1.5 2.25 1/2 3\n");
  CHECK(machine.fact("load_averages") == R"({"15m":2.25,"1m":0.0,"5m":1.5})");
}

TEST_CASE("amounts") {
  CHECK(bytes_text(0) == "0 bytes");
  CHECK(bytes_text(1023) == "1023 bytes");
  CHECK(bytes_text(1024) == "1.00 KiB");
  CHECK(bytes_text(1048575) == "1.00 MiB");
  CHECK(bytes_text(~uint64_t{0}) == "16.00 EiB");
  CHECK(hertz_text(0).empty());
  CHECK(hertz_text(999) == "999.00 Hz");
  CHECK(hertz_text(2'400'000'000) == "2.40 GHz");
}

}  // namespace
}  // namespace bunraku::facts
