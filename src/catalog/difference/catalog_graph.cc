#include "catalog/difference/catalog_graph.h"

#include <fmt/format.h>

#include "base/formats/json.h"
#include "base/text/html.h"
#include "base/text/utf8.h"
#include "catalog/document/catalog_relations.h"

namespace bunraku {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string_view shape_of(const DocumentResource& resource) {
  return resource.type == "Class" || resource.type == "Stage" ? "box" : "ellipse";
}

}  // namespace

std::string catalog_dot(const CatalogDocument& catalog) {
  const CatalogRelations relations(catalog);
  std::string out = fmt::format("digraph {} {{\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n",
                                quoted(catalog.name));
  for (const DocumentResource& resource : catalog.resources) {
    out += fmt::format("  {} [shape={}];\n", quoted(resource.reference), shape_of(resource));
  }
  for (const DocumentEdge& edge : relations.containment()) {
    out += fmt::format("  {} -> {} [style=dashed, arrowhead=none];\n", quoted(edge.source),
                       quoted(edge.target));
  }
  for (const DocumentEdge& edge : relations.relationships()) {
    out += fmt::format("  {} -> {}{};\n", quoted(edge.source), quoted(edge.target),
                       edge.is_notifying ? " [color=\"#8a5a00\", arrowhead=vee]" : "");
  }
  return out + "}\n";
}

namespace {

constexpr std::string_view kStyle = R"(
:root { --back: #fff; --text: #222; --line: #bbb; --mark: #b35900; --panel: #f7f7f7; }
@media (prefers-color-scheme: dark) { :root { --back: #1b1b1b; --text: #ddd; --line: #555; --mark: #ffb454; --panel: #242424; } }
html, body { height: 100%; margin: 0; }
body { font: 14px/1.4 system-ui, sans-serif; color: var(--text); background: var(--back); display: flex; flex-direction: column; }
header { padding: .4em .8em; border-bottom: 1px solid var(--line); display: flex; gap: 1em; align-items: center; flex-wrap: wrap; }
h1 { font-size: 1em; margin: 0; }
input[type=search] { font: inherit; width: 20em; max-width: 100%; }
button { font: inherit; }
main { flex: 1; display: flex; min-height: 0; }
#drawing { flex: 1; min-width: 0; cursor: grab; touch-action: none; }
#panel { width: 26em; max-width: 45%; overflow: auto; background: var(--panel); border-left: 1px solid var(--line); padding: .6em .9em; }
#panel:empty { display: none; }
#panel h2 { font-size: 1em; margin: 0 0 .5em; overflow-wrap: anywhere; }
#panel h3 { font-size: .95em; margin: .9em 0 .2em; }
#panel pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
#panel a { color: inherit; cursor: pointer; text-decoration: underline dotted; overflow-wrap: anywhere; }
#panel ul { margin: 0; padding-left: 1.2em; }
#panel small { opacity: .75; overflow-wrap: anywhere; }
svg text { font-size: 12px; fill: var(--text); dominant-baseline: middle; cursor: pointer; }
svg .containment { stroke: var(--line); fill: none; }
svg .relationship { stroke: #3b78c2; fill: none; opacity: .45; }
svg .notifying { stroke: #a86a00; }
svg .relationship.near { opacity: 1; stroke-width: 2; }
svg circle { fill: var(--line); cursor: pointer; }
svg .found circle { fill: var(--mark); } svg .found text { fill: var(--mark); font-weight: 600; }
svg .chosen text { font-weight: 700; text-decoration: underline; }
svg .dim { opacity: .25; }
)";

constexpr std::string_view kBody = R"(<header>
<h1 id="title"></h1>
<input type="search" id="search" placeholder="type, title, parameter" aria-label="Search">
<span id="count"></span>
<span><button id="in" aria-label="Zoom in">+</button> <button id="out" aria-label="Zoom out">−</button> <button id="all">all</button></span>
<label><input type="checkbox" id="order" checked> relationships</label>
</header>
<main><svg id="drawing" role="img" aria-label="Containment from left to right"><g id="world"></g></svg><aside id="panel"></aside></main>)";

constexpr std::string_view kScript = R"(
const byName = new Map(data.resources.map((resource) => [resource.reference, resource]));
for (const resource of data.resources) { resource.children = []; resource.parents = []; resource.before = []; resource.after = []; }
for (const [source, target] of data.containment) {
  const parent = byName.get(source), child = byName.get(target);
  if (parent && child) { parent.children.push(child); child.parents.push(parent); }
}
for (const [source, target, notifying] of data.relationships) {
  const first = byName.get(source), then = byName.get(target);
  if (first) first.before.push([target, notifying]);
  if (then) then.after.push([source, notifying]);
}
// Each resource stands once, below the first that contains it; the rest of containment is drawn too.
const kColumn = 260, kRow = 20;
let row = 0;
const seen = new Set();
const place = (root) => {
  const stack = [[root, 0]];
  while (stack.length) {
    const [resource, depth] = stack.pop();
    if (seen.has(resource)) continue;
    seen.add(resource);
    resource.x = depth * kColumn;
    resource.y = row++ * kRow;
    for (let i = resource.children.length; i-- > 0;) stack.push([resource.children[i], depth + 1]);
  }
};
for (const resource of data.resources) if (!resource.parents.length) place(resource);
for (const resource of data.resources) place(resource);

const svgNamespace = 'http://www.w3.org/2000/svg';
const draw = (tag, attributes) => {
  const node = document.createElementNS(svgNamespace, tag);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  return node;
};
const world = document.getElementById('world');
const svg = document.getElementById('drawing');
for (const [source, target] of data.containment) {
  const a = byName.get(source), b = byName.get(target);
  if (a && b) world.append(draw('path', { class: 'containment', d: `M${a.x},${a.y} V${b.y} H${b.x - 6}` }));
}
const orders = [];
for (const [source, target, notifying] of data.relationships) {
  const a = byName.get(source), b = byName.get(target);
  if (!a || !b) continue;
  const bend = 40 + Math.abs(a.y - b.y) / 4;
  const line = draw('path', { class: 'relationship' + (notifying ? ' notifying' : ''), d: `M${a.x},${a.y} C${a.x - bend},${a.y} ${b.x - bend},${b.y} ${b.x},${b.y}` });
  line.ends = [a, b];
  orders.push(line);
  world.append(line);
}
for (const resource of data.resources) {
  const group = draw('g', { transform: `translate(${resource.x},${resource.y})`, tabindex: 0 });
  group.append(draw('circle', { r: 4 }));
  const label = draw('text', { x: 8 });
  label.textContent = resource.reference.length > 60 ? resource.reference.slice(0, 59) + '…' : resource.reference;
  group.append(label);
  group.addEventListener('click', (event) => { event.stopPropagation(); choose(resource); });
  group.addEventListener('keydown', (event) => { if (event.key === 'Enter') choose(resource); });
  resource.group = group;
  world.append(group);
}

let view = { x: 20, y: 20, scale: 1 };
const apply = () => world.setAttribute('transform', `translate(${view.x},${view.y}) scale(${view.scale})`);
const zoom = (factor, x, y) => {
  const scale = Math.min(8, Math.max(.02, view.scale * factor));
  view = { x: x - (x - view.x) * scale / view.scale, y: y - (y - view.y) * scale / view.scale, scale };
  apply();
};
const middle = () => [svg.clientWidth / 2, svg.clientHeight / 2];
svg.addEventListener('wheel', (event) => { event.preventDefault(); const box = svg.getBoundingClientRect(); zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top); }, { passive: false });
let drag = null;
svg.addEventListener('pointerdown', (event) => { drag = [event.clientX - view.x, event.clientY - view.y]; });
window.addEventListener('pointermove', (event) => { if (drag) { view.x = event.clientX - drag[0]; view.y = event.clientY - drag[1]; apply(); } });
window.addEventListener('pointerup', () => { drag = null; });
document.getElementById('in').addEventListener('click', () => zoom(1.4, ...middle()));
document.getElementById('out').addEventListener('click', () => zoom(1 / 1.4, ...middle()));
const showAll = () => {
  const box = world.getBBox();
  const scale = Math.min(1.5, svg.clientWidth / (box.width + 40), svg.clientHeight / (box.height + 40)) || 1;
  view = { x: 20 - box.x * scale, y: 20 - box.y * scale, scale };
  apply();
};
document.getElementById('all').addEventListener('click', showAll);
document.getElementById('order').addEventListener('change', (event) => { for (const line of orders) line.style.display = event.target.checked ? '' : 'none'; });
const centre = (resource) => { const [x, y] = middle(); if (view.scale < .6) view.scale = 1; view.x = x - resource.x * view.scale; view.y = y - resource.y * view.scale; apply(); };

const panel = document.getElementById('panel');
const make = (tag, text) => { const node = document.createElement(tag); if (text !== undefined) node.textContent = text; return node; };
const link = (reference) => {
  const target = byName.get(reference);
  if (!target) return make('span', reference);
  const node = make('a', reference);
  node.addEventListener('click', () => { choose(target); centre(target); });
  return node;
};
const list = (title, entries) => {
  if (!entries.length) return;
  panel.append(make('h3', title));
  const all = make('ul');
  for (const [reference, note] of entries) { const item = make('li'); item.append(link(reference), make('span', note || '')); all.append(item); }
  panel.append(all);
};
const pathTo = (resource) => {
  const path = [];
  const walked = new Set();
  for (let at = resource.parents[0]; at && !walked.has(at); at = at.parents[0]) { walked.add(at); path.unshift([at.reference, at.place ? '  ' + at.place : '']); }
  return path;
};
// What `catalog why` shows, without values.
const placeOf = (reason) => reason.file ? reason.file + (reason.line ? ':' + reason.line : '') : reason.line ? 'line ' + reason.line : '';
const describe = (reason) => {
  const item = make('li');
  const kind = { container: 'in', variable: '$', data_source: 'data' }[reason.kind] ?? reason.kind.replaceAll('_', ' ');
  item.append(make('span', reason.kind === 'variable' ? kind : kind + ' '));
  if (reason.name) item.append(link(reason.name));
  if (reason.level) item.append(make('span', ` of the level '${reason.level}'`));
  const place = placeOf(reason);
  if (place) item.append(make('small', '  ' + place));
  item.append(...because(reason.because || []));
  return item;
};
const because = (reasons) => {
  if (!reasons.length) return [];
  const all = make('ul');
  all.append(...reasons.map(describe));
  return [all];
};
let chosen = null;
const choose = (resource) => {
  if (chosen) chosen.group.classList.remove('chosen');
  chosen = resource;
  resource.group.classList.add('chosen');
  for (const line of orders) line.classList.toggle('near', line.ends.includes(resource));
  panel.replaceChildren(make('h2', resource.reference));
  panel.append(make('h3', 'Why it is here'));
  panel.append(make('div', resource.place ? 'Declared at ' + resource.place : 'Declared by the compiler'));
  const reasons = resource.why && resource.why.because || [];
  const path = pathTo(resource);
  if (resource.why) panel.append(...because(reasons.filter((reason) => reason.kind !== 'attribute')));
  else if (path.length) list('Through', path);
  const reasonsFor = (name) => because(reasons.filter((reason) => reason.kind === 'attribute' && reason.name === name).flatMap((reason) => reason.because || []));
  const names = Object.keys(resource.parameters);
  if (names.length) panel.append(make('h3', 'Parameters'));
  for (const name of names) {
    const value = resource.parameters[name];
    panel.append(make('strong', name));
    panel.append(make('pre', typeof value === 'string' ? value : JSON.stringify(value, null, 2)));
    panel.append(...reasonsFor(name));
  }
  if (resource.sensitive.length) panel.append(make('h3', 'Sensitive, not shown'));
  for (const name of resource.sensitive) panel.append(make('strong', name), ...reasonsFor(name));
  list('Before', resource.before.map(([name, notifying]) => [name, notifying ? '  (notifies)' : '']));
  list('After', resource.after.map(([name, notifying]) => [name, notifying ? '  (is notified)' : '']));
  list('Contains', resource.children.map((child) => [child.reference]));
  panel.append(make('h3', 'Tags'));
  panel.append(make('div', resource.tags.join(', ')));
};
document.getElementById('title').textContent = `${data.name}: ${data.resources.length} resources`;
const search = document.getElementById('search');
let matches = [];
const find = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter((word) => word);
  matches = [];
  for (const resource of data.resources) {
    resource.text ??= (resource.reference + ' ' + (resource.place || '') + ' ' + JSON.stringify(resource.parameters)).toLowerCase();
    const found = words.length > 0 && words.every((word) => resource.text.includes(word));
    resource.group.classList.toggle('found', found);
    resource.group.classList.toggle('dim', words.length > 0 && !found);
    if (found) matches.push(resource);
  }
  document.getElementById('count').textContent = words.length ? matches.length + ' found' : '';
};
search.addEventListener('input', find);
let next = 0;
search.addEventListener('keydown', (event) => { if (event.key === 'Enter' && matches.length) { const resource = matches[next++ % matches.length]; choose(resource); centre(resource); } });
showAll();
if (location.hash.length > 1) {
  const resource = byName.get(decodeURIComponent(location.hash.slice(1)));
  if (resource) { choose(resource); centre(resource); }
}
)";

void write_strings(JsonWriter& json, std::string_view key,
                   const std::vector<std::string_view>& all) {
  json.key(key);
  json.begin_array();
  for (const std::string_view text : all) json.string(replace_invalid_utf8(text));
  json.end_array();
}

void write_resource(JsonWriter& json, const DocumentResource& resource,
                    const CatalogReasons& reasons) {
  json.begin_object();
  json.member("reference", resource.reference);
  if (!resource.file.empty()) {
    json.member("place", resource.line > 0 ? fmt::format("{}:{}", resource.file, resource.line)
                                           : std::string(resource.file));
  }
  write_strings(json, "tags", resource.tags);
  std::vector<std::string_view> sensitive;
  json.key("parameters");
  json.begin_object();
  for (const DocumentParameter& parameter : resource.parameters) {
    if (parameter.is_relationship()) continue;
    if (parameter.is_sensitive) {
      sensitive.push_back(parameter.name);
      continue;
    }
    json.key(parameter.name);
    json.data(parameter.value);
  }
  json.end_object();
  write_strings(json, "sensitive", sensitive);
  if (const auto reason = reasons.find(std::string(resource.reference)); reason != reasons.end()) {
    json.key("why");
    json.raw(reason->second);
  }
  json.end_object();
}

void write_edges(JsonWriter& json, std::string_view key, const std::vector<DocumentEdge>& edges) {
  json.key(key);
  json.begin_array();
  for (const DocumentEdge& edge : edges) {
    json.begin_array();
    json.string(edge.source);
    json.string(edge.target);
    json.boolean(edge.is_notifying);
    json.end_array();
  }
  json.end_array();
}

}  // namespace

std::string catalog_graph_page(const CatalogDocument& catalog, const CatalogReasons& reasons) {
  const CatalogRelations relations(catalog);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("name", replace_invalid_utf8(catalog.name));
  json.key("resources");
  json.begin_array();
  for (const DocumentResource& resource : catalog.resources) {
    write_resource(json, resource, reasons);
  }
  json.end_array();
  write_edges(json, "containment", relations.containment());
  write_edges(json, "relationships", relations.relationships());
  json.end_object();
  return html_page(catalog.name, kStyle, kBody, text, kScript);
}

}  // namespace bunraku
