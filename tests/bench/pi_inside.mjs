// Times the real Pi's own functions in this process: node pi_inside.mjs open FILE | once FILE | list AGENT_FOLDER
// Prints the figures so far after each step, a line of JSON each time.
import { part, piKeys, plainTheme, withCopy } from "../interop/pi.mjs";

const [, , what, path] = process.argv;
const figures = {};
const tell = () => console.log(JSON.stringify({ ...figures, "peak memory": process.resourceUsage().maxRSS / 1024 }));
const timed = (name, step) => {
  const start = performance.now();
  const value = step();
  figures[name] = (performance.now() - start) / 1000;
  tell();
  return value;
};
const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const medianOf = (name, runs, step) => {
  figures[name] = middle(Array.from({ length: runs }, (_, i) => {
    const start = performance.now();
    step(i);
    return (performance.now() - start) / 1000;
  }));
  tell();
};

if (what === "open" || what === "once") {
  const once = what === "once"; // of a very large file one filter and one letter take long enough
  const { SessionManager } = await part("core/session-manager.js");
  const { TreeSelectorComponent } = await part("modes/interactive/components/tree-selector.js");
  plainTheme();
  await piKeys();
  withCopy(path, (copy) => {
    const start = performance.now();
    const sm = timed("open the file", () => SessionManager.open(copy));
    const nodes = timed("build the tree", () => sm.getTree());
    const tree = timed("rows", () => new TreeSelectorComponent(nodes, sm.getLeafId(), 40, () => {}, () => {}, () => {}));
    timed("first rows drawn", () => tree.render(120));
    figures["start to first tree"] = (performance.now() - start) / 1000;
    figures["whole tree"] = figures["start to first tree"];
    const press = (key) => {
      tree.handleInput(key);
      tree.render(120);
    };
    medianOf("key to frame", once ? 5 : 20, () => press("\x1b[A"));
    medianOf("filter switch", once ? 1 : 4, (i) => press(["\x15", "\x0c", "\x01", "\x04"][i]));
    medianOf("search keystroke", once ? 1 : 5, (i) => press("resen"[i]));
    timed("context", () => sm.buildSessionContext());
  });
} else {
  process.env.PI_CODING_AGENT_DIR = path;
  const { SessionManager } = await part("core/session-manager.js");
  const start = performance.now();
  const found = await SessionManager.listAll((_loaded, total, partial) => {
    const now = (performance.now() - start) / 1000;
    if (partial?.length) figures["first sessions"] ??= now;
    if (partial?.length >= total - 1) figures["all but the largest"] ??= now;
  });
  figures["all sessions"] = (performance.now() - start) / 1000;
  figures.sessions = found.length;
}
tell();
