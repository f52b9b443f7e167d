// Loads the parts of the installed Pi that the interop and bench scripts use; PI_PACKAGE names the package's folder.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const root = process.env.PI_PACKAGE;
if (!root) throw new Error("PI_PACKAGE is not set");

export const part = (path) => import(pathToFileURL(join(root, "dist", path)).href);

// Pi's own key table; without it its lists know only the keys of a bare list.
export async function piKeys() {
  const terminal = createRequire(join(root, "package.json")).resolve("@earendil-works/pi-tui");
  const { setKeybindings } = await import(pathToFileURL(terminal).href);
  const { KeybindingsManager } = await part("core/keybindings.js");
  setKeybindings(new KeybindingsManager());
}

// A theme that colours nothing: what Pi draws is then the bare text.
export function plainTheme() {
  const same = (text) => text;
  const second = (_token, text) => text;
  globalThis[Symbol.for("@earendil-works/pi-coding-agent:theme")] = new Proxy(
    { fg: second, bg: second },
    { get: (known, name) => known[name] ?? same },
  );
}

// Pi repairs and migrates what it opens, so it only ever sees a copy.
export function withCopy(file, use) {
  const folder = mkdtempSync(join(tmpdir(), "pi-copy-"));
  const copy = join(folder, basename(file));
  copyFileSync(file, copy);
  try {
    return use(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
