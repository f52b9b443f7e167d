"""The second half of the login session: three ways to limit tries, then the end."""

from pitree.demo.story import Call, Story


def passed(tests: int, files: int = 1, name: str = "login.test.tsx") -> str:
    """What vitest prints when all is well."""
    shown = f" ✓ tests/{name} ({tests} tests) 388ms\n\n" if files == 1 else ""
    return (
        f" RUN  v3.2.1 /home/sam/src/shop\n\n{shown} Test Files  {files} passed ({files})\n"
        f"      Tests  {tests} passed ({tests})"
    )


def limits(s: Story) -> None:
    """Three ways to slow down guessing, each tried from the same place."""
    here = s.leaf
    memory = s.user("Limit how often somebody can try. Simplest thing that works.", minutes=6)
    s.run(
        s.write(
            "server/limit.ts",
            "const tries = new Map<string, number[]>();\n\n"
            "export function mayTry(address: string, now = Date.now()) {\n"
            "  const recent = (tries.get(address) ?? []).filter((t) => now - t < 60_000);\n"
            "  tries.set(address, [...recent, now]);\n"
            "  return recent.length < 5;\n"
            "}\n",
        )
    )
    s.say("Five tries a minute and address, kept in memory.")
    first = s.user("We run two instances.")
    s.say("Then each would count on its own, and ten tries get through. It needs a place they share.")
    s.goto(s.parent(first))
    s.user("What does this cost per request?")
    s.say("A map lookup and a filter over at most five numbers: below a microsecond.")
    s.goto(s.parent(memory))
    s.user("Limit how often somebody can try. Redis is already there for the cart, use that.")
    s.run(
        Call(
            "grep",
            {"pattern": "createClient", "path": "server", "glob": "*.ts"},
            "server/cart.ts:3: createClient",
        ),
        s.write(
            "server/limit.ts",
            'import { redis } from "./cart";\n\n'
            "export async function mayTry(address: string) {\n"
            "  const key = `tries:${address}`;\n"
            "  const count = await redis.incr(key);\n"
            "  if (count === 1) await redis.expire(key, 60);\n"
            "  return count <= 5;\n"
            "}\n",
        ),
        say="`incr` and `expire` do it in two commands.",
    )
    redis = s.say("Five tries a minute, counted in Redis, so both instances see the same number.")
    s.label(redis, "limit: redis")
    s.user("And if Redis is down?")
    s.say(
        "Then `incr` throws and nobody can log in. I can let it through with a warning instead; which do you want?"
    )
    s.goto(here)
    s.model("openai", "gpt-5")
    s.user("Limit how often somebody can try, at nginx.")
    s.say(
        "```nginx\nlimit_req_zone $binary_remote_addr zone=login:1m rate=5r/m;\n```\n\nOne line, but staging has no nginx."
    )
    s.goto(
        redis,
        "Two other ways were looked at: counting in memory (wrong with two instances) and nginx's `limit_req` "
        "(staging has no nginx). Redis stays.",
    )


def finish(s: Story) -> None:
    """The last steps: a compaction, a name, a commit and a test."""
    s.model("anthropic", "claude-sonnet-4-5")
    s.thinking("low")
    kept = s.user("Let people in when Redis is down, and log a warning.", minutes=9)
    s.run(
        s.edit(
            "server/limit.ts",
            (
                "  const count = await redis.incr(key);\n",
                "  const count = await redis.incr(key).catch(warn);\n",
            ),
            (
                "export async function mayTry",
                'const warn = (error: Error) => (console.warn("limit:", error.message), 0);\n\n'
                "export async function mayTry",
            ),
        )
    )
    s.run(s.bash("npm test", passed(31, 4), 0, 9.8))
    told = s.leaf or ""
    s.edit_context(told, {"content": [{"type": "text", "text": "All 31 tests passed."}]})
    s.say("With Redis away `mayTry` now answers yes and warns. All 31 tests pass.")
    s.compact(
        "## Goal\nA login for the shop: form, session cookie, log out, a limit on tries.\n\n"
        "## Progress\n### Done\n- [x] Form with an error below each field, tests\n- [x] Phone layout (`100dvh`)\n"
        "- [x] httpOnly cookie for 30 days; `DELETE /api/session`\n- [x] Five tries a minute, counted in Redis\n\n"
        "## Key Decisions\n- **No localStorage**: any script could read the token\n"
        "- **Redis for the limit**: two instances; lets people in when it is down\n\n"
        "## Next Steps\n1. Commit",
        kept,
        details={
            "readFiles": ["package.json", "src/App.tsx"],
            "modifiedFiles": ["server/limit.ts", "server/session.ts", "src/pages/Login.tsx", "src/style.css"],
        },
    )
    s.name("Fix the login")
    s.shell(
        "git status --short", " M server/session.ts\n M src/App.tsx\n M src/style.css\n?? server/limit.ts"
    )
    s.shell("env | grep SESSION", "SESSION_SECRET=not-a-real-secret", excluded=True)
    s.user("Commit it, one commit.", minutes=2)
    s.run(
        s.bash(
            "git add -A && git commit -qm 'Log in, stay logged in, log out' && git log --oneline -1",
            "4be19f2 Log in, stay logged in, log out",
        )
    )
    last = s.say(
        "Committed as `4be19f2`. Open points, if you want to go on:\n\n"
        "1. a “forgot password” link,\n2. the limit's numbers as settings,\n3. a test for `DELETE /api/session`."
    )
    s.label(last, "committed")
    s.user("Do 3.", minutes=75)
    s.run(
        s.write(
            "tests/logout.test.ts",
            'import request from "supertest";\nimport { expect, test } from "vitest";\n'
            'import { app } from "../server/app";\n\n'
            'test("log out clears the cookie, twice over", async () => {\n'
            "  for (const _ of [1, 2]) {\n"
            '    const answer = await request(app).delete("/api/session");\n'
            "    expect(answer.status).toBe(204);\n"
            '    expect(answer.headers["set-cookie"][0]).toMatch(/^session=;/);\n'
            "  }\n"
            "});\n",
        )
    )
    s.run(
        s.bash(
            "npm test -- logout",
            passed(1, name="logout.test.ts"),
        )
    )
    s.say("There it is, and it passes: the cookie is cleared, and a second call does no harm.")
