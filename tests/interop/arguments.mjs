// What Pi makes of command lines: node arguments.mjs COUNT ARG… COUNT ARG…
//
// Each command line follows the number of its arguments. Prints a JSON list with what Pi reads of each: the first
// message, further messages, files to send, the session, and whether it complains.
import { part } from "./pi.mjs";

const { parseArgs } = await part("cli/args.js");
const { buildInitialMessage } = await part("cli/initial-message.js");
const given = process.argv.slice(2);
const answers = [];
for (let at = 0; at < given.length; ) {
  const count = +given[at];
  const parsed = parseArgs(given.slice(at + 1, at + 1 + count));
  at += 1 + count;
  const { initialMessage } = buildInitialMessage({ parsed });
  answers.push({
    first: initialMessage ?? null,
    further: parsed.messages,
    files: parsed.fileArgs,
    session: parsed.session ?? null,
    complains: parsed.diagnostics.length > 0,
  });
}
console.log(JSON.stringify(answers));
