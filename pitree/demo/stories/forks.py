"""Two forks of the login session: one at the cookie, and one of that fork."""

from pitree.demo.story import Story


def strict(of: Story) -> Story:
    """A fork at the cookie: what if it were SameSite strict?"""
    at = next(e["id"] for e in of.entries if "The cookie is set for 30 days" in str(e.get("message")))
    s = of.fork(102, at, "2026-03-02T12:35:40.200+00:00")
    s.name("Login with a strict cookie")
    s.user("Try sameSite strict here, I want to see what breaks.")
    s.run(s.edit("server/session.ts", ('sameSite: "lax"', 'sameSite: "strict"')))
    s.run(
        s.bash(
            "npm run e2e -- mail-link",
            "✗ opens the order from the mail: expected /orders/7, got /login",
            1,
            21.5,
        )
    )
    s.say(
        "What breaks is the link in the order mail: coming from another site the browser holds the cookie back, so "
        "people land on the login page although they are logged in. Everything else passes."
    )
    s.user("Could the landing page reload itself?")
    s.say(
        "Yes: a page without the cookie that redirects to itself counts as same-site then. It flickers, though."
    )
    return s


def strict_redirect(of: Story) -> Story:
    """A fork of that fork."""
    at = next(e["id"] for e in of.entries if "What breaks is the link" in str(e.get("message")))
    s = of.fork(103, at, "2026-03-02T13:02:11.871+00:00")
    s.name("Two cookies")
    s.user("Set two cookies instead: a strict one for writing, a lax one for reading.")
    s.run(
        s.edit(
            "server/session.ts",
            (
                '  res.cookie("session",',
                '  res.cookie("reader", user.readToken(), { httpOnly: true, sameSite: "lax" });\n'
                '  res.cookie("session",',
            ),
        )
    )
    s.run(s.bash("npm run e2e -- mail-link", "✓ opens the order from the mail (1.9s)", 0, 20.4))
    s.say("That works: the mail link shows the order, and changing it asks for the strict cookie. 👍")
    return s
