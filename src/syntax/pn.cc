#include "syntax/pn.h"

#include "base/formats/json.h"

namespace bunraku {
namespace {

void append_quoted(std::string& to, std::string_view text) {
  to += '"';
  for (const char c : text) {
    switch (c) {
      case '\t':
        to += "\\t";
        break;
      case '\n':
        to += "\\n";
        break;
      case '\r':
        to += "\\r";
        break;
      case '"':
        to += "\\\"";
        break;
      case '\\':
        to += "\\\\";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          to += "\\o0";
          to += static_cast<char>('0' + c / 8);
          to += static_cast<char>('0' + c % 8);
        } else {
          to += c;
        }
    }
  }
  to += '"';
}

class PnWriter {
 public:
  PnWriter(std::string& to, bool is_pretty) : to_(to), is_pretty_(is_pretty) {}

  void write(const Pn& pn, int indent) {
    switch (pn.kind) {
      case Pn::Kind::kLiteral:
        to_ += pn.text;
        break;
      case Pn::Kind::kString:
        append_quoted(to_, pn.text);
        break;
      case Pn::Kind::kCall:
        to_.append("(").append(pn.text);
        if (!pn.items.empty() && !is_pretty_) to_ += ' ';
        write_items(pn, indent + 1);
        to_ += ')';
        break;
      case Pn::Kind::kList:
        to_ += '[';
        write_items(pn, indent + 1);
        to_ += ']';
        break;
      case Pn::Kind::kMap:
        to_ += '{';
        for (size_t i = 0; i < pn.items.size(); ++i) {
          begin_item(i, indent + 1);
          to_.append(":").append(pn.keys[i]).append(" ");
          write(pn.items[i], indent + 1);
        }
        to_ += '}';
    }
  }

 private:
  void write_items(const Pn& pn, int indent) {
    for (size_t i = 0; i < pn.items.size(); ++i) {
      begin_item(i, indent);
      write(pn.items[i], indent);
    }
  }
  void begin_item(size_t number, int indent) {
    if (is_pretty_) {
      to_ += '\n';
      to_.append(static_cast<size_t>(indent) * 2, ' ');
    } else if (number > 0) {
      to_ += ' ';
    }
  }

  std::string& to_;
  bool is_pretty_;
};

// JsonWriter is not used, because trees may be deeper than it allows, and the reference formats
// empty lists differently.
class PnJsonWriter {
 public:
  PnJsonWriter(std::string& to, bool is_pretty) : to_(to), is_pretty_(is_pretty) {}

  void write(const Pn& pn, int indent) {
    switch (pn.kind) {
      case Pn::Kind::kLiteral:
        to_ += pn.text == "nil" ? "null" : std::string_view(pn.text);
        break;
      case Pn::Kind::kString:
        append_json_string(to_, pn.text);
        break;
      case Pn::Kind::kList:
        write_list(pn, indent);
        break;
      case Pn::Kind::kCall:
        write_wrapped("^", pn, indent);
        break;
      case Pn::Kind::kMap:
        write_wrapped("#", pn, indent);
        break;
    }
  }

 private:
  void write_wrapped(std::string_view mark, const Pn& pn, int indent) {
    to_ += '{';
    new_line(indent + 1);
    append_json_string(to_, mark);
    to_ += is_pretty_ ? ": " : ":";
    write_list(pn, indent + 1);
    new_line(indent);
    to_ += '}';
  }
  // The name of a call and the keys of a map are elements of the list.
  void write_list(const Pn& pn, int indent) {
    to_ += '[';
    size_t number = 0;
    auto begin = [&] {
      if (number++ > 0) to_ += ',';
      new_line(indent + 1);
    };
    if (pn.kind == Pn::Kind::kCall) {
      begin();
      append_json_string(to_, pn.text);
    }
    for (size_t i = 0; i < pn.items.size(); ++i) {
      if (pn.kind == Pn::Kind::kMap) {
        begin();
        append_json_string(to_, pn.keys[i]);
      }
      begin();
      write(pn.items[i], indent + 1);
    }
    if (number == 0 && is_pretty_) to_ += '\n';
    new_line(indent);
    to_ += ']';
  }
  void new_line(int indent) {
    if (!is_pretty_) return;
    to_ += '\n';
    to_.append(static_cast<size_t>(indent) * 2, ' ');
  }

  std::string& to_;
  bool is_pretty_;
};

}  // namespace

Pn Pn::as_call(std::string_view name) && {
  if (kind == Kind::kList || kind == Kind::kCall) return call(name, std::move(items));
  std::vector<Pn> inner;
  inner.push_back(std::move(*this));
  return call(name, std::move(inner));
}

void write_pn(std::string& to, const Pn& pn, bool is_pretty) {
  PnWriter(to, is_pretty).write(pn, 0);
}

void write_pn_json(std::string& to, const Pn& pn, bool is_pretty) {
  PnJsonWriter(to, is_pretty).write(pn, 0);
}

}  // namespace bunraku
