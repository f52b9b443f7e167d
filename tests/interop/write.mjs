// Lets Pi write to session files: node write.mjs REQUEST.json ANSWER.jsonl
//
// The request is a list of jobs, each answered by one line:
//   { "open": path, "folder"?, "steps": [[method, argument…]…] }      a file that is there
//   { "create": cwd, "folder", "steps": […] }                         a new session
//   { "fork": path, "cwd", "folder" }                                 a copy under another working directory
// An argument {"entry": n} is the id of the entry at place n (counted round), {"undefined": true} is undefined.
// Answer: { "results": […], "leaf", "file" }; a step gives null, its value, or {"error": message}.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { part } from "./pi.mjs";

const { SessionManager } = await part("core/session-manager.js");

function argument(sm, given) {
  if (given?.undefined) return undefined;
  if (given?.entry === undefined) return given;
  const entries = sm.getEntries();
  return entries[given.entry % entries.length].id;
}

function step(sm, [method, ...args]) {
  try {
    return sm[method](...args.map((given) => argument(sm, given))) ?? null;
  } catch (error) {
    return { error: String(error.message) };
  }
}

function run(job) {
  if (job.fork) return { file: SessionManager.forkFrom(job.fork, job.cwd, job.folder).getSessionFile() };
  const sm = job.open ? SessionManager.open(job.open, job.folder) : SessionManager.create(job.create, job.folder);
  const results = job.steps.map((made) => step(sm, made));
  return { results, leaf: sm.getEntries().findLastIndex((entry) => entry === sm.getLeafEntry()), file: sm.getSessionFile() };
}

const [, , requestPath, answerPath] = process.argv;
const out = openSync(answerPath, "w");
for (const job of JSON.parse(readFileSync(requestPath, "utf8"))) writeSync(out, `${JSON.stringify(run(job))}\n`);
closeSync(out);
