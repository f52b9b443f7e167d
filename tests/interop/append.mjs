// Pi, busy on a session: node append.mjs FILE COUNT SEED
//
// Opens the file, says "ready", waits for a line, appends COUNT messages, short and long, in bursts, and prints
// the ids of their entries as a JSON list.
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Chance } from "./chance.mjs";
import { part } from "./pi.mjs";

const { SessionManager } = await part("core/session-manager.js");
const [, , file, count, seed] = process.argv;
const chance = new Chance(+seed);
const sm = SessionManager.open(file);
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3, cost };
console.log("ready");
await once(process.stdin, "data");
const ids = [];
while (ids.length < +count) {
  for (let burst = chance.below(5); burst >= 0 && ids.length < +count; burst--) {
    const text = "word ".repeat(chance.odds(0.02) ? 40_000 : chance.below(60));
    const content = [{ type: "text", text }];
    ids.push(sm.appendMessage(ids.length % 2 ? { role: "assistant", content, usage } : { role: "user", content }));
  }
  await setTimeout(chance.below(4));
}
console.log(JSON.stringify(ids));
process.exit();
