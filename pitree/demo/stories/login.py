"""The shop's login form: the large session, with branches left behind and a root of its own."""

from pitree.demo.figures import picture
from pitree.demo.stories import shop_files as shop
from pitree.demo.stories.login_end import finish, limits, passed
from pitree.demo.story import Call, Story

TOOLS = ("read", "bash", "edit", "write", "grep", "find", "ls")

PHONE = picture(
    [
        "####################",
        "#  ooo ooo o  oo   #",
        "#                  #",
        "# oooooooooooooooo #",
        "#                  #",
        "# oooooooooooooooo #",
        "####################",
        "#..................#",
        "#.##.##.##.##.##.#.#",
        "#.##.##.##.##.##.#.#",
        "####################",
    ]
)

FAILED = """\
 RUN  v3.2.1 /home/sam/src/shop

 ❯ tests/login.test.tsx (2 tests | 1 failed) 412ms
   ✓ shows the server's error below its field 231ms
   × logs in and goes on 38ms
     → Cannot read properties of undefined (reading 'email')

 FAIL  tests/login.test.tsx > logs in and goes on
TypeError: Cannot read properties of undefined (reading 'email')
 ❯ Login src/pages/Login.tsx:23:61
     21|     <form className="login" onSubmit={submit} noValidate>
     22|       <h1>Log in</h1>
     23|       <Field name="email" type="email" label="E-mail" error={errors.email} />
       |                                                             ^

 Test Files  1 failed (1)
      Tests  1 failed | 1 passed (2)"""

LONG_LOG = "\n".join(
    f"[{step:>3}] GET /assets/{name}.js 200 in {3 + step % 9} ms"
    for step, name in enumerate(["index", "vendor", "cart", "login", "catalogue"] * 24)
)


def login() -> Story:
    s = Story(101, "shop", "2026-03-02T11:42:08.115+00:00")
    s.model("anthropic", "claude-sonnet-4-5")
    s.thinking("medium")
    s.system(
        {
            "preamble": "You help with the code of a small web shop. Keep changes small and run the tests.",
            "tools": "<tools>\n" + "\n".join(f"- {name}" for name in TOOLS) + "\n</tools>",
            "cwd": s.cwd,
        },
        TOOLS,
    )
    s.files |= {
        "src/App.tsx": shop.APP,
        "package.json": shop.PACKAGE,
        "src/api/session.ts": shop.SESSION_CLIENT,
        "server/session.ts": shop.SESSION_SERVER,
        "src/style.css": shop.STYLE,
    }
    s.user(
        "Add a login form to the shop: e-mail and password. The server's error belongs under the field it is about. "
        "The API is POST /api/session.",
        minutes=1,
    )
    _form(s)
    done = s.leaf or ""
    marked = s.label(done, "form works")
    _why_twice(s)
    s.goto(marked)
    s.user("On my phone the button ends up behind the keyboard. Screenshot attached.", PHONE, minutes=4)
    _phone(s)
    ask = s.user("Now keep people logged in. Put the token into localStorage.", minutes=2)
    _local_storage(s)
    s.goto(
        s.parent(ask),
        "Storing the token in localStorage was tried: `src/api/token.ts` with get, set and clear, sent along in "
        "`logIn`. It worked and the tests passed, but any injected script could read the token, so the approach was "
        "dropped. Nothing of it was kept.",
    )
    _cookie(s)
    limits(s)
    finish(s)
    return s


def _form(s: Story) -> None:
    s.run(
        Call("ls", {"path": "src"}, "api/\nApp.tsx\nmain.tsx\npages/\nparts/\nstyle.css"),
        s.read("package.json"),
        say="I'll look at how pages are put together first.",
        thinking="A new page, so: where do routes live, which test tool is there, and does anything call "
        "/api/session yet? If the client already has a fetch helper I should use that one.",
    )
    s.run(
        s.read("src/App.tsx"),
        Call(
            "grep",
            {"pattern": "api/session", "path": "."},
            'server/session.ts:6: session.post("/api/session", async (req, res) => {\n'
            'src/api/session.ts:2:   const response = await fetch("/api/session", {',
        ),
        Call("find", {"pattern": "*.test.tsx", "path": "tests"}, "cart.test.tsx\ncatalogue.test.tsx"),
    )
    s.run(s.read("server/session.ts"))
    s.run(
        s.write("src/pages/Login.tsx", shop.LOGIN),
        s.edit(
            "src/App.tsx",
            ("import { Header }", 'import { Login } from "./pages/Login";\nimport { Header }'),
            (
                '        <Route path="/cart" element={<Cart />} />\n',
                '        <Route path="/cart" element={<Cart />} />\n'
                '        <Route path="/login" element={<Login />} />\n',
            ),
        ),
        s.write("tests/login.test.tsx", shop.LOGIN_TEST),
        say="The server answers `422` with `{errors: {field: text}}`, which maps straight onto the form. "
        "Writing the page, its route and two tests.",
    )
    s.run(s.bash("npm test -- login", FAILED, 1, 3.4))
    s.run(
        s.edit("src/pages/Login.tsx", ("setErrors(answer.errors);", "setErrors(answer.errors ?? {});")),
        thinking="On success the server sends {token} and no errors, so answer.errors is undefined and the next "
        "render reads .email of it. A default at the one place where the answer comes in is enough.",
    )
    s.run(s.bash("npm test -- login", passed(2), 0, 3.1))
    s.say(
        "The form is in place and both tests pass.\n\n"
        "- `src/pages/Login.tsx`: the page. Each field shows its own error and names it for screen readers "
        "(`aria-describedby`).\n"
        "- `src/App.tsx`: the route `/login`.\n"
        "- `tests/login.test.tsx`: an unknown address, and a login that works.\n\n"
        "One thing I tripped over: a successful answer carries no `errors`, so the form now starts from an empty "
        "set:\n\n```ts\nsetErrors(answer.errors ?? {});\n```\n\n"
        "It does not remember anybody yet. Do you want that next?"
    )


def _why_twice(s: Story) -> None:
    """A question of its own, asked from the very beginning: a second root."""
    s.goto(None)
    s.user("Different question: why does `npm run dev` print the port warning twice?", minutes=1)
    s.run(s.bash("grep -rn 'strictPort' vite.config.ts server/", "vite.config.ts:9:    strictPort: false,"))
    s.say(
        "Vite tries port 5173, finds it taken, says so, and takes 5174. The API server starts Vite a second time in "
        "middleware mode, and that one warns as well. Setting `strictPort: true` makes the first one stop instead; "
        "or leave it, it does no harm."
    )


def _phone(s: Story) -> None:
    s.run(
        s.edit(
            "src/style.css",
            (
                "  min-height: 100vh;\n  align-content: center;\n",
                "  min-height: 100dvh;\n  align-content: start;\n",
            ),
        ),
        say="`100vh` counts the part of the screen that the keyboard covers; `100dvh` does not. Centring adds to it: "
        "the form is pushed to the middle of a height that is not there.",
    )
    s.say("Changed both. With the keyboard open the form now begins at the top and the button stays in view.")


def _local_storage(s: Story) -> None:
    s.run(
        s.write(
            "src/api/token.ts",
            'const KEY = "shop.token";\n\n'
            "export const getToken = () => localStorage.getItem(KEY);\n"
            "export const setToken = (token: string) => localStorage.setItem(KEY, token);\n"
            "export const clearToken = () => localStorage.removeItem(KEY);\n",
        ),
        s.edit(
            "src/api/session.ts",
            ("export async function", 'import { setToken } from "./token";\n\nexport async function'),
            (
                "  return { ok: response.ok, ...(await response.json()) };\n",
                "  const answer = await response.json();\n"
                "  if (response.ok) setToken(answer.token);\n"
                "  return { ok: response.ok, ...answer };\n",
            ),
        ),
    )
    s.run(s.bash("npm test -- login", passed(2), 0, 3.0))
    s.say("Done: the token survives a reload. It is kept under `shop.token`.")
    s.user("Hm. What about XSS?")
    end = s.say(
        "Fair point, and it is the reason not to do this:\n\n"
        "| | localStorage | httpOnly cookie |\n|---|---|---|\n"
        "| readable by any script on the page | yes | no |\n"
        "| sent by itself with each request | no | yes |\n"
        "| needs protection against forged requests | no | yes (`SameSite`) |\n\n"
        "A single careless dependency could carry the token away. I would let the server set a cookie.",
        thinking="They are right to ask. localStorage is readable by every script; the cookie is not, but then "
        "CSRF matters, which SameSite=Lax settles for this shop: all writes are POST from the same site.",
    )
    s.label(end, "localStorage: no")


def _cookie(s: Story) -> None:
    s.model("anthropic", "claude-opus-4-5")
    s.thinking("high")
    s.user("Keep people logged in, but with an httpOnly cookie that the server sets.", minutes=3)
    s.run(s.read("server/session.ts", 6, 8))
    s.run(
        s.edit(
            "server/session.ts",
            (
                "  res.json({ token: user.newToken() });\n",
                '  res.cookie("session", user.newToken(), {\n'
                "    httpOnly: true,\n"
                '    sameSite: "lax",\n'
                '    secure: process.env.NODE_ENV === "production",\n'
                "    maxAge: 30 * 24 * 3600 * 1000,\n"
                "  });\n"
                "  res.json({ ok: true });\n",
            ),
        ),
        thinking="Lax is enough here: the shop has no cross-site POST. Secure must be off in development, since the "
        "dev server speaks plain HTTP and browsers other than Chrome drop Secure cookies there.",
    )
    s.run(
        s.bash(
            "npx tsc --noEmit", "server/session.ts(13,7): error TS2339: Property 'cookie' does not exist.", 2
        )
    )
    s.run(
        s.edit("server/session.ts", ("import { Router }", "import { Router, type Response }")),
        Call(
            "edit",
            {
                "path": "server/session.ts",
                "edits": [{"oldText": "async (req, res)", "newText": "async (req, res: R)"}],
            },
            "Could not find the exact text in server/session.ts. The old text must match exactly including all "
            "whitespace and newlines.",
            error=True,
        ),
    )
    s.run(
        s.edit("server/session.ts", ("async (req, res) =>", "async (req, res: Response) =>")),
        thinking="The second edit asked for R, a name that is not there. Type it as Response.",
    )
    s.run(s.bash("npx tsc --noEmit && npm test -- login", passed(2), 0, 6.2))
    cookie = s.say("The cookie is set for 30 days, unreadable to scripts, and both checks pass.")
    s.label(cookie, "cookie works")
    s.usage("cache_warm")
    s.custom("todo", {"items": ["form", "phone", "cookie", "rate limit", "log out"], "done": 3})
    s.custom_message("todo", "3 of 5 done: form, phone, cookie. Open: rate limit, log out.", display=True)
    s.custom_message("git-status", "On branch login, 5 files changed, nothing staged.", display=False)
    s.user("and log out")
    s.run(
        s.bash("tail -120 /tmp/vite.log", LONG_LOG, 0, 0.8),
        say="Let me see what the dev server has been asked for…",
    )
    noisy = s.leaf or ""
    s.say(
        "The log shows only assets, so I will go through each of the",
        stop="aborted",
        error="Request was aborted.",
    )
    s.edit_context(noisy, None)
    s.user("No need for that. Just add DELETE /api/session.")
    s.run(
        s.edit(
            "server/session.ts",
            (
                "  res.json({ ok: true });\n});\n",
                "  res.json({ ok: true });\n});\n\n"
                'session.delete("/api/session", (req, res: Response) => {\n'
                '  res.clearCookie("session");\n'
                "  res.status(204).end();\n"
                "});\n",
            ),
        )
    )
    s.say(
        "",
        stop="error",
        error='529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    )
    s.wait(1)
    s.say("Added. It clears the cookie and answers `204`; calling it twice is harmless.")
