// What the real Pi makes of session files: node oracle.mjs REQUEST.json ANSWER.jsonl
//
// The request names what is asked; the answer holds one JSON line for each file or listing:
//   { "files": [{"path", "queries": [text…], "walk": [key…], "rows"?, "contexts"?: [fraction…]}…],
//     "lists": [{"folder", "cwd"?}…] }
// With "rows": false the answer holds the session only, nothing of what /tree shows.
// An entry is named by its place among the file's entries (0 = first after the header), since a version 1
// file gets random ids whenever Pi loads it and ids can repeat.
// A step in which Pi throws answers {"error": message}; one in which it would never end {"endless": true}.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { part, piKeys, plainTheme, withCopy } from "./pi.mjs";

const { SessionManager } = await part("core/session-manager.js");
const { AgentSession } = await part("core/agent-session.js");
const { estimateProjectedContextTokens, estimateTokens } = await part("core/compaction/compaction.js");
const { getUsageCostBreakdown } = await part("core/usage-totals.js");
const { TreeSelectorComponent } = await part("modes/interactive/components/tree-selector.js");
plainTheme();
await piKeys();

const FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"];
const VERY_WIDE = 1_000_000;
const KEYS = {
  up: "\x1b[A", down: "\x1b[B", fold: "\x1b[1;5D", unfold: "\x1b[1;5C", "page-up": "\x1b[5~", "page-down": "\x1b[6~",
  "cycle-forward": "\x0f", default: "\x04", "no-tools": "\x14", "user-only": "\x15", "labeled-only": "\x0c", all: "\x01",
};

// Node reads values of any depth, but writes them some thousand levels deep only.
const SHOWN = 60;
const shallow = (value, levels = SHOWN) => {
  if (value === null || typeof value !== "object") return value;
  if (!levels) return "deep";
  if (Array.isArray(value)) return value.map((member) => shallow(member, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shallow(member, levels - 1)]));
};

const attempt = (step) => {
  try {
    return step();
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
};

// Names entries by place. Pi hands out the objects it loaded, so identity tells repeated ids apart.
function places(sm) {
  const place = new Map(sm.getEntries().map((entry, index) => [entry, index]));
  return (entry) => (entry === undefined ? null : place.get(entry) ?? null);
}

// Pi walks parents without a guard: a chain that comes back to itself would keep it for ever.
function chainEnds(sm, id, known = new Set()) {
  const seen = new Set();
  for (let current = id; current && !known.has(current); current = sm.getEntry(current)?.parentId ?? null) {
    if (seen.has(current)) return false;
    seen.add(current);
  }
  for (const each of seen) known.add(each);
  return true;
}

// The same for its tree: an id that comes twice can make a node its own descendant.
function treeEnds(sm) {
  const entries = sm.getEntries();
  const ids = new Set(entries.map((entry) => entry.id));
  const isRoot = ({ id, parentId }) => parentId === null || parentId === id || !ids.has(parentId);
  const children = new Map();
  for (const entry of entries) {
    if (isRoot(entry)) continue;
    if (!children.has(entry.parentId)) children.set(entry.parentId, []);
    children.get(entry.parentId).push(entry.id);
  }
  const stack = entries.filter(isRoot).map((entry) => entry.id);
  for (let visits = 0; stack.length; visits++) {
    if (visits > 20 * entries.length + 100) return false;
    stack.push(...(children.get(stack.pop()) ?? []));
  }
  return true;
}

function treeOf(sm, at) {
  const order = [];
  const labels = {};
  const stack = sm.getTree().map((node) => [node, 0]).reverse();
  while (stack.length) {
    const [node, depth] = stack.pop();
    order.push([at(node.entry), depth]);
    if (node.label !== undefined) labels[at(node.entry)] = { text: node.label, time: node.labelTimestamp ?? null };
    for (let i = node.children.length - 1; i >= 0; i--) stack.push([node.children[i], depth + 1]);
  }
  return { order, labels };
}

const selector = (sm, filter) =>
  new TreeSelectorComponent(sm.getTree(), sm.getLeafId(), 40, () => {}, () => {}, () => {}, undefined, filter).getTreeList();

// The drawn line of every row with its entry's text taken out: cursor, guides, fold mark, path mark and label are left.
function drawnFronts(list) {
  const { maxVisibleLines } = list;
  list.maxVisibleLines = list.filteredNodes.length;
  list.getEntryDisplayText = () => "";
  const lines = list.render(VERY_WIDE).slice(0, -1);
  delete list.getEntryDisplayText;
  list.maxVisibleLines = maxVisibleLines;
  return lines;
}

function rowsOf(sm, filter, at) {
  const list = selector(sm, filter);
  const nodes = list.filteredNodes;
  return {
    at: nodes.map((row) => at(row.node.entry)),
    indent: nodes.map((row) => row.indent),
    selected: nodes.length ? at(nodes[list.selectedIndex].node.entry) : null,
    text: nodes.map((row) => attempt(() => list.getEntryDisplayText(row.node, false))),
    foldable: nodes.map((row) => list.isFoldable(row.node.entry.id)),
    front: nodes.length ? attempt(() => drawnFronts(list)) : [],
  };
}

// The rows that searches leave in a filter, one list a query.
function hitsOf(sm, filter, queries, at) {
  const list = selector(sm, filter);
  return queries.map((query) => {
    list.searchQuery = query;
    list.applyFilter();
    return list.filteredNodes.map((row) => at(row.node.entry));
  });
}

// Keys pressed one after another in the default filter; after each: the selected entry and the rows left.
function walkOf(sm, keys, at) {
  const list = selector(sm, "default");
  return keys.map((key) => {
    list.handleInput(KEYS[key]);
    return [at(list.getSelectedNode()?.entry), list.filteredNodes.length];
  });
}

function statsOf(sm) {
  // The rule for a session's totals is a method of the running agent; of that it needs the entries only.
  const { sessionFile, sessionId, contextUsage, ...totals } = AgentSession.prototype.getSessionStats.call({
    sessionManager: sm,
    getContextUsage: () => undefined,
  });
  return totals;
}

// The context at an entry that a fraction of the file names; moves the leaf there.
function contextAt(sm, at, fraction) {
  const entries = sm.getEntries();
  const { id } = entries[Math.floor(fraction * entries.length)];
  if (!chainEnds(sm, id)) return { endless: true };
  sm.branch(id);
  const projection = sm.buildSessionProjection();
  const { tokens, usageTokens, trailingTokens } = estimateProjectedContextTokens(projection, sm.getBranch());
  return {
    at: at(sm.getEntry(id)),
    entries: projection.entries.map(({ sourceEntry, messages }) =>
      [at(sourceEntry), messages.map((m) => m.role), messages.map((m) => estimateTokens(m))]),
    messages: projection.messages,
    size: { tokens, usageTokens, trailingTokens },
  };
}

function dump({ path, queries = [], walk = [], rows = true, contexts = [] }) {
  return withCopy(path, (copy) => {
    let sm;
    try {
      sm = SessionManager.open(copy);
    } catch (error) {
      return { file: path, error: String(error.message).replaceAll(copy, basename(path)) };
    }
    const at = places(sm);
    const answer = {
      file: path,
      id: sm.getSessionId(),
      cwd: sm.getCwd(),
      name: attempt(() => sm.getSessionName() ?? null),
      parent: sm.getHeader()?.parentSession ?? null,
      entries: sm.getEntries().length,
      leaf: at(sm.getLeafEntry()),
      stats: attempt(() => statsOf(sm)),
      models: attempt(() => getUsageCostBreakdown(sm.getEntries())),
    };
    const treeFinite = treeEnds(sm);
    const tree = treeFinite ? attempt(() => treeOf(sm, at)) : { endless: true };
    answer.tree = tree.order ?? tree;
    answer.labels = tree.labels ?? tree;
    const finite = chainEnds(sm, sm.getLeafId());
    const onPath = (step) => (finite ? attempt(step) : { endless: true });
    answer.branch = onPath(() => sm.getBranch().map(at));
    answer.contextEntries = onPath(() => sm.buildContextEntries().map(at));
    answer.projection = onPath(() =>
      sm.buildSessionProjection().entries.map(({ sourceEntry, messages }) => [at(sourceEntry), messages.map((m) => m.role)]));
    answer.context = onPath(() => shallow(sm.buildSessionContext()));
    const known = new Set();
    if (!rows) return answer;
    const everyChainEnds = treeFinite && sm.getEntries().every((entry) => chainEnds(sm, entry.id, known));
    const inTree = (step) => (everyChainEnds ? attempt(step) : { endless: true });
    answer.rows = Object.fromEntries(FILTERS.map((filter) => [filter, inTree(() => rowsOf(sm, filter, at))]));
    answer.hits = Object.fromEntries(FILTERS.map((filter) => [filter, inTree(() => hitsOf(sm, filter, queries, at))]));
    answer.walk = inTree(() => walkOf(sm, walk, at));
    answer.contexts = contexts.map((fraction) => attempt(() => contextAt(sm, at, fraction)));
    return answer;
  });
}

async function list({ folder, cwd }) {
  const found = cwd === undefined ? await SessionManager.listAll(folder) : await SessionManager.list(cwd, folder);
  return {
    folder,
    sessions: found.map(({ path, created, modified, parentSessionPath, ...rest }) => ({
      ...rest,
      file: basename(path),
      created: +created,
      modified: +modified,
      parent: parentSessionPath ?? null,
    })),
  };
}

const [, , requestPath, answerPath] = process.argv;
const request = JSON.parse(readFileSync(requestPath, "utf8"));
const out = openSync(answerPath, "w");
for (const file of request.files ?? []) writeSync(out, `${JSON.stringify(dump(file))}\n`);
for (const folder of request.lists ?? []) writeSync(out, `${JSON.stringify(await list(folder))}\n`);
closeSync(out);
