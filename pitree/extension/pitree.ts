/**
 * pitree inside Pi, version 0.1.0
 *
 * /pitree, or alt+t, gives the terminal to pitree on the session at hand. What is decided there happens in this
 * very Pi, by its own means: labels, the name, moving the leaf, a fork, another session. pitree itself writes
 * nothing meanwhile.
 */

import { execFile, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	getAgentDir,
	type SessionEntry,
} from "@earendil-works/pi-coding-agent";

const VERSION = "0.1.0";
/** The oldest pitree that can be asked. */
const NEEDED = "0.1.0";
/** The pitree that put this file where it is; `pitree extension --install` fills it in. */
const INSTALLED_BY: string[] = [];

const SHORTCUT = "alt+t";
const COLUMNS = 40;
const ROWS = 10;
const NO_CHOICE = 130;
/** Marks a summary that was written by hand, on its way to `session_before_tree`. */
const BY_HAND = "pitree: use this summary as it is\n";
/** The entry that pitree, too, leaves where a leaf has to move off an entry and nothing else would move it. */
const LEAF_TYPE = "pitree.leaf";
/** Ends all that a full-screen program may have asked of the terminal and, killed, could not take back. */
const TERMINAL_AS_EVER =
	"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1004l\x1b[?2004l\x1b[?2048l\x1b[?2026l" +
	"\x1b[<u\x1b[?7h\x1b[?25h\x1b[?1049l\x1b[0m";

type Label = { op: "label"; entry: string; label: string | null };
type Name = { op: "name"; name: string };
type Move = { op: "move"; entry: string; summary?: string; label?: string; text?: string };
type Fork = { op: "fork"; entry: string; position: "before" | "at"; text?: string };
type Switch = { op: "switch"; path: string };
type Operation = Label | Name | Move | Fork | Switch;

interface Answer {
	session: string | null;
	operations: Operation[];
}

/** How a run of pitree ended. */
interface Ended {
	status: number | null;
	signal: string | null;
	output: string;
	errors: string;
}

/** Why something was not done, to be told as it is. */
class Refusal extends Error {}

export default function (pi: ExtensionAPI) {
	let busy = false;

	pi.registerCommand("pitree", {
		description: "Browse this session in pitree; what you pick there happens here",
		handler: async (_arguments, ctx) => {
			if (busy) {
				ctx.ui.notify("pitree is already opening", "warning");
				return;
			}
			busy = true;
			try {
				await browse(pi, ctx);
			} catch (error) {
				if (!(error instanceof Refusal)) throw error;
				ctx.ui.notify(error.message, "warning");
			} finally {
				busy = false;
			}
		},
	});

	pi.registerShortcut(SHORTCUT, {
		description: "Browse this session in pitree",
		handler: (ctx) => {
			if (ctx.isIdle()) pi.sendUserMessage("/pitree", { expandPromptTemplates: true });
			else ctx.ui.notify("Pi is working; open pitree when it has finished", "warning");
		},
	});

	pi.on("session_before_tree", (event) => {
		const { userWantsSummary, customInstructions } = event.preparation;
		if (!userWantsSummary || !customInstructions?.startsWith(BY_HAND)) return undefined;
		return { summary: { summary: customInstructions.slice(BY_HAND.length) } };
	});
}

async function browse(pi: ExtensionAPI, ctx: ExtensionCommandContext): Promise<void> {
	if (ctx.mode !== "tui") throw new Refusal("pitree needs Pi's own screen");
	if (!ctx.isIdle()) {
		const draft = ctx.ui.getEditorText();
		ctx.ui.notify("pitree opens as soon as Pi has finished", "info");
		await ctx.waitForIdle();
		if (ctx.ui.getEditorText() !== draft) throw new Refusal("Pi has finished; run /pitree to open pitree");
	}
	const session = ctx.sessionManager.getSessionFile();
	if (!session) throw new Refusal("This session is only in memory; pitree needs a session file");
	if (!existsSync(session)) throw new Refusal("This session is not saved yet; send a message first, then open pitree");
	const { columns, rows } = process.stdout;
	if (columns < COLUMNS || rows < ROWS)
		throw new Refusal(`pitree needs a terminal of ${COLUMNS} × ${ROWS} at least; this one is ${columns} × ${rows}`);

	const [program, ...before] = programToRun();
	const version = await versionOf(program, before);
	if (isOlder(version, NEEDED))
		throw new Refusal(`This is pitree ${version}; the extension needs ${NEEDED}: bring pitree up to date`);
	const leaf = ctx.sessionManager.getLeafId() ?? "root";
	const ended = await runOnTerminal(ctx, program, [...before, "--pick", "--format", "json", "--leaf", leaf, session]);
	if (isOlder(VERSION, version))
		ctx.ui.notify(`This extension is from pitree ${VERSION}; pitree extension --install updates it to ${version}`, "info");
	await apply(pi, ctx, operationsOf(ended, session));
}

// Running pitree

function programToRun(): string[] {
	if (process.env.PITREE_COMMAND) return [process.env.PITREE_COMMAND];
	return INSTALLED_BY.length > 0 && existsSync(INSTALLED_BY[0]) ? INSTALLED_BY : ["pitree"];
}

/** The version of a pitree, in numbers and dots. */
function versionOf(program: string, before: string[]): Promise<string> {
	return new Promise((found, failed) => {
		execFile(program, [...before, "--version"], { timeout: 20_000 }, (error, output) => {
			const said = /^pitree (\d+(?:\.\d+)*)/.exec(output ?? "");
			if (said) found(said[1]);
			else if ((error as NodeJS.ErrnoException | null)?.code === "ENOENT")
				failed(new Refusal(`pitree was not found (${program}): install it, or name it in PITREE_COMMAND`));
			else failed(new Refusal(`${program} is not pitree, or does not start: ${error?.message ?? "it gave no version"}`));
		});
	});
}

function isOlder(version: string, than: string): boolean {
	const [ours, theirs] = [version, than].map((text) => text.split(".").map(Number));
	for (let place = 0; place < Math.max(ours.length, theirs.length); place++) {
		const difference = (ours[place] ?? 0) - (theirs[place] ?? 0);
		if (difference !== 0) return difference < 0;
	}
	return false;
}

/** Stop Pi's screen, let a program have the terminal, start Pi's screen again whatever happened. */
function runOnTerminal(ctx: ExtensionCommandContext, program: string, words: string[]): Promise<Ended> {
	const options = { cwd: existsSync(ctx.cwd) ? ctx.cwd : undefined, env: environment(ctx) };
	return ctx.ui.custom<Ended>((tui, _theme, _keys, done) => {
		tui.stop();
		const settings = terminalSettings();
		const deaf = () => {};
		process.on("SIGINT", deaf);
		run(program, words, options).then((ended) => {
			process.off("SIGINT", deaf);
			if (ended.status === null || ![0, 1, 2, NO_CHOICE].includes(ended.status)) {
				process.stdout.write(TERMINAL_AS_EVER);
				if (settings) spawnSync("stty", [settings], { stdio: ["inherit", "ignore", "ignore"] });
			}
			tui.start();
			tui.requestRender(true);
			done(ended);
		});
		return { render: () => [], invalidate: () => {} };
	});
}

function run(program: string, words: string[], options: { cwd?: string; env: NodeJS.ProcessEnv }): Promise<Ended> {
	return new Promise((ended) => {
		const child = spawn(program, words, { ...options, stdio: ["inherit", "pipe", "pipe"] });
		const kill = () => child.kill();
		process.once("exit", kill);
		const said = { output: "", errors: "" };
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			said.output += text;
		});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			said.errors = (said.errors + text).slice(-10_000);
		});
		const end = (status: number | null, signal: string | null) => {
			process.off("exit", kill);
			ended({ status, signal, ...said });
		};
		child.on("error", (error) => {
			said.errors = error.message;
			end(null, null);
		});
		child.on("close", end);
	});
}

/** Where Pi keeps its files, told to pitree, however this Pi was told. */
function environment(ctx: ExtensionContext): NodeJS.ProcessEnv {
	const agent = getAgentDir();
	const env: NodeJS.ProcessEnv = { ...process.env, PI_CODING_AGENT_DIR: agent };
	const folder = ctx.sessionManager.getSessionDir();
	if (folder && dirname(resolve(folder)) !== join(resolve(agent), "sessions"))
		env.PI_CODING_AGENT_SESSION_DIR = folder;
	return env;
}

function terminalSettings(): string | undefined {
	if (process.platform === "win32") return undefined;
	const said = spawnSync("stty", ["-g"], { stdio: ["inherit", "pipe", "ignore"], encoding: "utf8" });
	return said.status === 0 ? said.stdout.trim() : undefined;
}

// What pitree answered

function operationsOf(ended: Ended, session: string): Operation[] {
	if (ended.status === NO_CHOICE) return [];
	if (ended.status !== 0) {
		const why = ended.errors.trim().split("\n").at(-1)?.slice(0, 300);
		const how = ended.signal ? `was ended by ${ended.signal}` : ended.status === null ? "did not run" : "failed";
		const old = ended.status === 2 ? "; it may be too old for the extension" : "";
		throw new Refusal(`pitree ${how}, and nothing was changed${old}${why ? `: ${why}` : ""}`);
	}
	const answer = answerIn(ended.output);
	if (!answer) throw new Refusal("pitree gave an answer that the extension does not understand; nothing was changed");
	if (answer.operations.length > 0 && !isSameFile(answer.session, session))
		throw new Refusal("pitree answered for another session; nothing was changed");
	return answer.operations;
}

/** The answer on the one line of an output; undefined if there is no good one. */
function answerIn(output: string): Answer | undefined {
	try {
		const answer = JSON.parse(output);
		const { session, operations } = answer;
		if (session !== null && typeof session !== "string") return undefined;
		return Array.isArray(operations) && operations.every(isOperation) && isOrdered(operations) ? answer : undefined;
	} catch {
		return undefined;
	}
}

function isOperation(value: unknown): value is Operation {
	const one = value as Record<string, unknown>;
	const text = (...names: string[]) => names.every((name) => typeof one[name] === "string");
	const maybe = (...names: string[]) => names.every((name) => one[name] === undefined || typeof one[name] === "string");
	if (typeof value !== "object" || value === null) return false;
	switch (one.op) {
		case "label":
			return text("entry") && (one.label === null || text("label"));
		case "name":
			return text("name");
		case "move":
			return text("entry") && maybe("summary", "label", "text");
		case "fork":
			return text("entry") && (one.position === "before" || one.position === "at") && maybe("text");
		case "switch":
			return text("path");
		default:
			return false;
	}
}

/** Labels and names first, then perhaps another session, then one place to go on. */
function isOrdered(operations: Operation[]): boolean {
	const stages = operations.map(({ op }) => (op === "label" || op === "name" ? 0 : op === "switch" ? 1 : 2));
	return stages.every((stage, place) => place === 0 || stage > stages[place - 1] || (stage === 0 && stages[place - 1] === 0));
}

function isSameFile(one: string | null, other: string): boolean {
	try {
		return one !== null && realpathSync(one) === realpathSync(other);
	} catch {
		return false;
	}
}

// Doing it

async function apply(pi: ExtensionAPI, ctx: ExtensionCommandContext, operations: Operation[]): Promise<void> {
	const draft = ctx.ui.getEditorText();
	const kept: string[] = [];
	let here = ctx;
	try {
		for (const operation of operations) {
			switch (operation.op) {
				case "label":
					known(here, operation.entry);
					pi.setLabel(operation.entry, operation.label ?? undefined);
					kept.push(operation.label ? `labeled [${operation.label}]` : "label removed");
					break;
				case "name":
					pi.setSessionName(operation.name);
					kept.push(operation.name ? `named “${operation.name}”` : "name cleared");
					break;
				case "move":
					await move(here === ctx ? pi : undefined, here, operation, draft);
					break;
				case "fork":
					here = await fork(here, operation, draft);
					break;
				case "switch":
					here = await open(here, operation.path, draft);
			}
		}
	} catch (error) {
		here.ui.notify(`pitree: ${error instanceof Error ? error.message : String(error)}`, "warning");
	}
	if (kept.length > 0) here.ui.notify(`pitree: ${kept.join(", ")}`, "info");
}

/** An entry by its id; Pi ends where it is sent to one that it does not know. */
function known(ctx: ExtensionContext, id: string): SessionEntry {
	const entry = ctx.sessionManager.getEntry(id);
	if (entry) return entry;
	throw new Refusal(`this Pi does not know entry ${id}: another program added it to the file, and /resume reads it`);
}

function textToResend(entry: SessionEntry): string | undefined {
	let content: string | { type: string; text?: string }[];
	if (entry.type === "custom_message") content = entry.content;
	else if (entry.type === "message" && entry.message.role === "user") content = entry.message.content;
	else return undefined;
	if (typeof content === "string") return content;
	return content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");
}

async function move(pi: ExtensionAPI | undefined, ctx: ExtensionCommandContext, to: Move, draft: string): Promise<void> {
	const resent = textToResend(known(ctx, to.entry)) !== undefined;
	if (resent && ctx.sessionManager.getLeafId() === to.entry) {
		// Pi does nothing where it is sent to its leaf, though the place before a message is another one.
		if (!pi) throw new Refusal("that message is the leaf of the session; /pitree there goes before it");
		pi.appendEntry(LEAF_TYPE);
	}
	const summary = to.summary ? { summarize: true, customInstructions: BY_HAND + to.summary } : {};
	const { cancelled } = await ctx.navigateTree(to.entry, { ...summary, label: to.label });
	if (cancelled) throw new Refusal("the leaf was not moved: another extension refused");
	if (to.text !== undefined) putText(ctx, to.text, draft);
}

async function fork(ctx: ExtensionCommandContext, at: Fork, draft: string): Promise<ExtensionCommandContext> {
	const entry = known(ctx, at.entry);
	const file = ctx.sessionManager.getSessionFile();
	if (!file || !existsSync(file)) throw new Refusal("the session's file is gone, so it cannot be forked");
	let next: ExtensionCommandContext | undefined;
	const withSession = async (fresh: ExtensionCommandContext) => {
		next = fresh;
	};
	const text = at.position === "before" ? (at.text ?? textToResend(entry)) : undefined;
	if (at.position === "at") await ctx.fork(entry.id, { position: "at", withSession });
	else if (entry.type === "message" && entry.message.role === "user") await ctx.fork(entry.id, { withSession });
	else if (entry.parentId) await ctx.fork(known(ctx, entry.parentId).id, { position: "at", withSession });
	else await ctx.newSession({ parentSession: file, withSession });
	if (!next) throw new Refusal("nothing was forked: another extension refused");
	putText(next, text, draft);
	return next;
}

async function open(ctx: ExtensionCommandContext, path: string, draft: string): Promise<ExtensionCommandContext> {
	if (!isSession(path)) throw new Refusal(`${path} is no session, or cannot be read`);
	let next: ExtensionCommandContext | undefined;
	await ctx.switchSession(path, {
		withSession: async (fresh) => {
			next = fresh;
		},
	});
	if (!next) throw new Refusal("the other session was not opened");
	putText(next, undefined, draft);
	return next;
}

/** Put a text into the editor; what somebody was writing there stays, below it. */
function putText(ctx: ExtensionContext, text: string | undefined, draft: string): void {
	const texts = [text ?? "", draft].filter((one) => one.trim() !== "");
	if (texts.length > 0) ctx.ui.setEditorText(texts.join("\n\n"));
}

/** Whether a file starts as a session does; Pi ends where it is sent to one that does not. */
function isSession(path: string): boolean {
	try {
		const file = openSync(path, "r");
		try {
			const start = Buffer.alloc(65_536);
			const line = start.toString("utf8", 0, readSync(file, start, 0, start.length, 0)).trimStart().split("\n")[0];
			const header = JSON.parse(line);
			return header.type === "session" && typeof header.id === "string";
		} finally {
			closeSync(file);
		}
	} catch {
		return false;
	}
}
