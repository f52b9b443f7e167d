// Appends messages to a session as fast as Pi's SessionManager does: node flood.mjs PACKAGE FILE COUNT
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packageFolder, file, count] = process.argv.slice(2);
const { SessionManager } = await import(pathToFileURL(join(packageFolder, "dist/index.js")).href);
const session = SessionManager.open(file);
for (let number = 0; number < Number(count); number++) {
	session.appendMessage({
		role: "user",
		content: [{ type: "text", text: `flood ${number}` }],
		timestamp: Date.now(),
	});
}
