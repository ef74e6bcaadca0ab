// Writes reports as YAML. Every text is double-quoted, so that its content is always text.
#include "server/api/report_yaml.h"

#include "base/formats/json.h"

namespace bunraku::server {
namespace {

constexpr int kDeepest = 100;

class Writer {
 public:
  // The kinds of nodes; a node's kind determines those of its children.
  enum class Kind {
    kData,
    kReport,
    kLogs,
    kLog,
    kMetrics,
    kMetric,
    kStatuses,
    kStatus,
    kEvents,
    kEvent
  };

  void write(const DataNode& node, Kind kind, int depth) {
    if (depth > kDeepest) throw DataError("The report is nested too deeply");
    switch (node.kind()) {
      case DataKind::kHash:
        return write_hash(node, kind, depth);
      case DataKind::kArray:
        return write_array(node, kind, depth);
      case DataKind::kNull:
        text_ += " \n";
        return;
      case DataKind::kBoolean:
        text_ += node.boolean_value() ? " true\n" : " false\n";
        return;
      case DataKind::kInteger:
        text_ += " " + std::to_string(node.integer_value()) + "\n";
        return;
      default:
        break;
    }
    text_ += ' ';
    if (node.is(DataKind::kFloat) || node.is(DataKind::kBigInteger)) {
      JsonWriter(text_).data(node);
    } else if (is_time(node.text_value())) {
      text_ += "'";
      text_ += node.text_value();
      text_ += "'";
    } else {
      append_json_string(text_, node.text_value());
    }
    text_ += '\n';
  }

  std::string take() { return std::move(text_); }

 private:
  static bool is_time(std::string_view text) {
    return text.size() > 18 && text.size() < 40 && text[4] == '-' && text[10] == 'T' &&
           text.find_first_not_of("0123456789-:.+TZ") == std::string_view::npos;
  }

  static const char* tag_of(Kind kind) {
    switch (kind) {
      case Kind::kReport:
        return " !ruby/object:Puppet::Transaction::Report";
      case Kind::kLog:
        return " !ruby/object:Puppet::Util::Log";
      case Kind::kMetric:
        return " !ruby/object:Puppet::Util::Metric";
      case Kind::kStatus:
        return " !ruby/object:Puppet::Resource::Status";
      case Kind::kEvent:
        return " !ruby/object:Puppet::Transaction::Event";
      default:
        return "";
    }
  }

  static Kind kind_of_member(Kind kind, std::string_view key) {
    switch (kind) {
      case Kind::kReport:
        if (key == "logs") return Kind::kLogs;
        if (key == "metrics") return Kind::kMetrics;
        if (key == "resource_statuses") return Kind::kStatuses;
        return Kind::kData;
      case Kind::kMetrics:
        return Kind::kMetric;
      case Kind::kStatuses:
        return Kind::kStatus;
      case Kind::kStatus:
        return key == "events" ? Kind::kEvents : Kind::kData;
      default:
        return Kind::kData;
    }
  }

  static Kind kind_of_item(Kind kind) {
    if (kind == Kind::kLogs) return Kind::kLog;
    return kind == Kind::kEvents ? Kind::kEvent : Kind::kData;
  }

  void indent(int depth) { text_.append(static_cast<size_t>(depth) * 2, ' '); }

  void write_hash(const DataNode& node, Kind kind, int depth) {
    text_ += tag_of(kind);
    if (node.entries().empty()) {
      text_ += " {}\n";
      return;
    }
    text_ += '\n';
    for (const DataEntry& entry : node.entries()) {
      indent(depth);
      append_json_string(text_, entry.key.text_value());
      text_ += ':';
      write(entry.value, kind_of_member(kind, entry.key.text_value()), depth + 1);
    }
  }

  void write_array(const DataNode& node, Kind kind, int depth) {
    if (node.items().empty()) {
      text_ += " []\n";
      return;
    }
    text_ += '\n';
    for (const DataNode& item : node.items()) {
      indent(depth);
      text_ += '-';
      write(item, kind_of_item(kind), depth + 1);
    }
  }

  std::string text_ = "---";
};

}  // namespace

std::string report_yaml(const DataNode& report) {
  Writer writer;
  writer.write(report, Writer::Kind::kReport, 0);
  return writer.take();
}

}  // namespace bunraku::server
