// Session files written by the real Pi through random but legal use of its SessionManager:
//   node generate.mjs FOLDER FIRST_SEED COUNT STEPS
// Seed n gives n.jsonl, and n-fork.jsonl where the session was forked at its end. A seed always gives the same entries.
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Chance, bindPi } from "./chance.mjs";
import { part } from "./pi.mjs";

const { SessionManager } = await part("core/session-manager.js");

const HOME = "/home/dev";
const WORDS = [
  ..."the a parse render token cache retry index socket commit branch merge schema query buffer stream deploy".split(" "),
  "naïve", "修正する", "שלום", "ключ", "한국어", "🙂", "👩‍👩‍👧", "e\u0301", "🇫🇷", "zero\u200bwidth", "\u202ertl\u202c", "\ufeffbom", "a\u2028b",
  "tab\there", "two\nlines", "crlf\r\nhere", "\u001b[31mred\u001b[0m", "\u001b]0;title\u0007", "nul\u0000", "\u009b2J", "del\u007f", "back\\slash",
  "\"quoted\"", "[bold]markup[/]", "half\ud83d", "\udc4drest", "$HOME", "<b>", "%s", "{0}",
];
const TOOLS = {
  read: (c) => ({ [c.among(["path", "file_path"])]: pathOf(c), ...lineRange(c) }),
  write: (c) => ({ path: pathOf(c), content: textOf(c) }),
  edit: (c) => ({ path: pathOf(c), edits: [{ oldText: textOf(c, 4), newText: textOf(c, 4) }] }),
  bash: (c) => ({ command: textOf(c, 14), ...(c.odds(0.3) ? { timeout: c.below(90) } : {}) }),
  grep: (c) => ({ pattern: textOf(c, 2), ...(c.odds(0.6) ? { path: pathOf(c) } : {}) }),
  find: (c) => ({ pattern: "*.ts", ...(c.odds(0.6) ? { path: pathOf(c) } : {}) }),
  ls: (c) => (c.odds(0.6) ? { path: pathOf(c) } : {}),
  powershell: (c) => ({ command: textOf(c, 6) }),
  mcp__tracker__search: (c) => ({ query: textOf(c, 3), limit: c.below(50), deep: { list: [1, 2.5, null, true, textOf(c, 2)] } }),
  noop: () => ({}),
};
const textOf = (c, words = 12) => c.some(1, words, () => c.among(WORDS)).join(c.among([" ", " ", " ", "\n", ""]));
const longText = (c) => textOf(c, 120);
const pathOf = (c) =>
  c.among([`${HOME}/src/m${c.below(99)}.ts`, HOME, `${HOME}work/x.ts`, "src/app.py", "/etc/hosts", "", `./${textOf(c, 2)}`, "../up"]);
const lineRange = (c) =>
  c.among([{}, { offset: c.below(90) }, { limit: c.below(90) }, { offset: c.below(90), limit: c.below(90) }, { offset: null, limit: 7 },
    { offset: 3, limit: null }, { offset: null, limit: null }, { offset: "12", limit: "4" }, { offset: "x" }, { offset: 1.5, limit: 2 }, { offset: 1234567 }]);
const textBlock = (text) => ({ type: "text", text });
const imageBlock = (c) => ({ type: "image", data: "iVBORw0KGgo".repeat(1 + c.below(4)), mimeType: c.among(["image/png", "image/jpeg"]) });
const contentOf = (c) =>
  c.odds(0.4) ? c.among([textOf(c), longText(c), "", "  \n "]) : c.some(0, 3, () => (c.odds(0.75) ? textBlock(textOf(c)) : imageBlock(c)));
const usageOf = (c) => {
  const cost = { input: c.next() / 100, output: c.next() / 50, cacheRead: c.next() / 900, cacheWrite: 0 };
  return {
    input: c.below(9000), output: c.below(2000), cacheRead: c.below(90_000), cacheWrite: c.below(4000),
    ...(c.odds(0.3) ? { reasoning: c.below(500), cacheWrite1h: c.below(50) } : {}),
    totalTokens: c.below(100_000), cost: { ...cost, total: cost.input + cost.output + cost.cacheRead },
  };
};
const maybe = (c, share, make) => (c.odds(share) ? make() : undefined);

class Author {
  constructor(folder, seed) {
    this.chance = new Chance(seed);
    this.clock = bindPi(this.chance, Date.UTC(2026, 0, 1) + seed * 3_600_000);
    this.folder = folder;
    this.calls = 0;
    this.sm = SessionManager.create(this.chance.among([`${HOME}/project`, `${HOME}/other`, "/srv/with space/é"]), folder);
  }

  message(message) {
    return this.sm.appendMessage({ ...message, timestamp: this.clock.now() });
  }

  assistant(content, more = {}) {
    const c = this.chance;
    this.message({
      role: "assistant", content, api: "anthropic-messages", provider: c.among(["anthropic", "openai", "local"]),
      model: c.among(["claude-sonnet-4-5", "gpt-5", "qwen/3"]), usage: usageOf(c), stopReason: "stop", ...more,
    });
  }

  anyId() {
    return this.chance.among(this.sm.getEntries()).id;
  }

  branchId() {
    const branch = this.sm.getBranch();
    return branch.length ? this.chance.among(branch).id : null;
  }

  editableId() {
    const roles = new Set(["user", "assistant", "toolResult"]);
    const fit = this.sm.getBranch().filter((e) => e.type === "custom_message" || (e.type === "message" && roles.has(e.message.role)));
    return fit.length ? this.chance.among(fit).id : null;
  }

  deeds = {
    user: [20, (c) => this.message({ role: "user", content: contentOf(c) })],
    answer: [16, (c) => this.assistant([...(c.odds(0.4) ? [this.thought()] : []), ...c.some(1, 3, () => textBlock(c.odds(0.2) ? longText(c) : textOf(c)))])],
    silent: [3, (c) => this.assistant(c.among([[], [this.thought()], [textBlock("")], [textBlock(" \n")]]), { stopReason: c.among(["stop", "toolUse"]) })],
    failed: [5, (c) => this.assistant(c.odds(0.5) ? [] : [textBlock(textOf(c))], {
      stopReason: c.among(["error", "aborted", "length", "deferred"]), errorMessage: maybe(c, 0.6, () => (c.odds(0.3) ? longText(c) : textOf(c))),
    })],
    tools: [18, (c) => this.useTools(c)],
    bash: [4, (c) => this.message({
      role: "bashExecution", command: textOf(c, 8), output: longText(c), exitCode: c.among([0, 1, undefined]), cancelled: c.odds(0.1),
      truncated: c.odds(0.1), ...(c.odds(0.3) ? { excludeFromContext: true } : {}),
    })],
    system: [2, (c) => this.message({
      role: "system", content: c.odds(0.5) ? "" : textOf(c), sections: { preamble: textOf(c), gone: null },
      toolsAdded: [{ name: "read", description: textOf(c), parameters: { type: "object" } }], ...(c.odds(0.2) ? { replace: true } : {}),
    })],
    customRole: [2, (c) => this.message({ role: "custom", customType: "note", content: contentOf(c), display: c.odds(0.5) })],
    unknownRole: [1, (c) => this.message({ role: "extension-role", content: contentOf(c), extra: { n: c.next() } })],
    model: [3, (c) => this.sm.appendModelChange("anthropic", c.among(["opus", "haiku", textOf(c, 2)]))],
    thinking: [3, (c) => this.sm.appendThinkingLevelChange(c.among(["off", "minimal", "low", "medium", "high", "xhigh"]))],
    usage: [2, (c) => this.sm.appendUsage("cache_warm", "anthropic", "opus", usageOf(c), maybe(c, 0.5, () => textOf(c)))],
    compaction: [3, (c) => this.sm.appendCompaction(
      textOf(c, 30), c.odds(0.2) ? null : this.branchId(), c.below(300_000), maybe(c, 0.5, () => ({ readFiles: [pathOf(c)] })),
      maybe(c, 0.2, () => true), maybe(c, 0.5, () => usageOf(c)))],
    custom: [3, (c) => this.sm.appendCustomEntry(c.among(["state", textOf(c, 2)]), c.among([undefined, null, { n: 1 }, [1, "x"]]))],
    customMessage: [4, (c) => this.sm.appendCustomMessageEntry("reminder", contentOf(c), c.odds(0.6), maybe(c, 0.4, () => ({ why: textOf(c) })))],
    name: [2, (c) => this.sm.appendSessionInfo(c.odds(0.25) ? "" : textOf(c, 4))],
    label: [6, (c) => this.sm.appendLabelChange(this.anyId(), c.among([undefined, "", "checkpoint", "bug 🐛", "重要", textOf(c, 2)]))],
    edit: [5, (c) => {
      const id = this.editableId();
      if (id) this.sm.appendContextEdit(id, c.odds(0.4) ? null : { content: contentOf(c) });
    }],
    branch: [5, () => this.sm.branch(this.anyId())],
    summary: [3, (c) => this.sm.branchWithSummary(
      c.odds(0.1) ? null : this.anyId(), textOf(c, 20), maybe(c, 0.5, () => ({ modifiedFiles: [] })), maybe(c, 0.2, () => true),
      maybe(c, 0.5, () => usageOf(c)))],
    newRoot: [2, () => this.sm.resetLeaf()],
    reopen: [1, () => {
      this.sm = SessionManager.open(this.sm.getSessionFile(), this.folder);
    }],
  };

  thought() {
    const c = this.chance;
    return { type: "thinking", thinking: textOf(c), ...(c.odds(0.5) ? { thinkingSignature: "c2ln" } : {}), ...(c.odds(0.1) ? { redacted: true } : {}) };
  }

  useTools(c) {
    const calls = c.some(1, 3, () => {
      const name = c.among(Object.keys(TOOLS));
      return { type: "toolCall", id: c.odds(0.05) ? "call_again" : `call_${this.calls++}`, name, arguments: TOOLS[name](c) };
    });
    this.assistant([...(c.odds(0.4) ? [this.thought()] : []), ...(c.odds(0.5) ? [textBlock(textOf(c))] : []), ...calls], { stopReason: "toolUse" });
    for (const call of calls) {
      if (c.odds(0.12)) continue; // interrupted before the tool answered
      this.clock.advance();
      this.message({
        role: "toolResult", toolCallId: c.odds(0.04) ? "call_lost" : call.id, toolName: call.name,
        content: c.odds(0.1) ? [imageBlock(c)] : [textBlock(longText(c))], isError: c.odds(0.1), details: maybe(c, 0.3, () => ({ diff: textOf(c) })),
        usage: maybe(c, 0.1, () => usageOf(c)),
      });
    }
  }

  write(steps) {
    const weights = Object.fromEntries(Object.entries(this.deeds).map(([name, [weight]]) => [name, weight]));
    this.message({ role: "user", content: textOf(this.chance) });
    for (let step = 0; step < steps; step++) {
      this.clock.advance();
      this.deeds[this.chance.weighted(weights)][1](this.chance);
    }
    return this.sm.getSessionFile();
  }
}

const [, , folder, firstSeed, count, steps] = process.argv;
mkdirSync(folder, { recursive: true });
for (let seed = +firstSeed; seed < +firstSeed + +count; seed++) {
  const scratch = mkdtempSync(join(folder, "making-"));
  const author = new Author(scratch, seed);
  const original = author.write(Math.ceil(+steps * (0.2 + 1.6 * author.chance.next())));
  const leaf = author.sm.getLeafId();
  const fork = leaf && author.chance.odds(0.15) ? author.sm.createBranchedSession(leaf) : undefined;
  renameSync(original, join(folder, `${seed}.jsonl`));
  try {
    if (fork) renameSync(fork, join(folder, `${seed}-fork.jsonl`));
  } catch (error) {
    if (error.code !== "ENOENT") throw error; // a path without a conversation: Pi writes no file yet
  }
  rmSync(scratch, { recursive: true });
}
