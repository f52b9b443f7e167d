"""The shop again: a deploy that went wrong before it went right, and a session that only just began."""

from pitree.demo.figures import usage_of
from pitree.demo.stories import shop_files as shop
from pitree.demo.story import Call, Story

PS = """\
NAME        IMAGE                              STATUS                     PORTS
shop-db-1   postgres:17                        Up 3 weeks                 5432/tcp
shop-web-1  registry.example.org/shop:b7c1d02  Up 9 seconds (unhealthy)   0.0.0.0:8080->8080/tcp"""

LOGS = """\
web-1  | \x1b[32minfo\x1b[0m  listening on :8080
web-1  | \x1b[31merror\x1b[0m migrate: relation "sessions" already exists
web-1  | \x1b[31merror\x1b[0m healthz: migrations pending, refusing to serve
web-1  | \x1b[32minfo\x1b[0m  GET /healthz 503"""

EXPLORED = (
    {
        "id": "nested_1",
        "name": "grep",
        "arguments": {"pattern": "TABLE sessions", "path": "migrations"},
        "status": "ok",
        "durationMs": 41,
    },
    {
        "id": "nested_2",
        "name": "bash",
        "arguments": {"command": "git log --all --oneline -- 'migrations/0012*'"},
        "status": "ok",
        "durationMs": 130,
    },
    {
        "id": "nested_3",
        "name": "read",
        "arguments": {"path": "migrations/0012_session_store.sql"},
        "status": "error",
        "durationMs": 3,
        "error": "ENOENT: no such file or directory: migrations/0012_session_store.sql",
    },
)


def deploy() -> Story:
    s = Story(201, "shop", "2026-03-01T16:20:31.004+00:00")
    s.model("anthropic", "claude-sonnet-4-5")
    s.thinking("low")
    s.name("staging")
    s.files["compose.yaml"] = shop.COMPOSE
    s.user("Deploy the login branch to staging and tell me when it is healthy.")
    s.run(
        s.read("compose.yaml"),
        s.bash("git log --oneline -3", "4be19f2 Log in\nb7c1d02 Cart badge\n90aa3e1 Prices"),
    )
    s.run(
        s.bash(
            "TAG=4be19f2 docker compose pull web",
            "Error: manifest for registry.example.org/shop:4be19f2 not found",
            1,
        ),
        say="The image is named by its commit. Pulling it.",
    )
    s.say("There is no image for `4be19f2` yet: CI has not finished. Shall I wait for it, or build here?")
    s.user("Wait.")
    s.run(Call("ci_status", {"branch": "login", "wait": True}, None), stop="aborted")
    s.name("")
    s.user("It hung there for ten minutes. Build it here.", minutes=11)
    s.run(
        s.bash(
            "docker build -t registry.example.org/shop:4be19f2 . 2>&1 | tail -3",
            "#14 exporting layers 2.1s done",
            0,
            48.0,
        )
    )
    s.say("", stop="error", error="429 Too many requests: this key may send 40 requests a minute")
    s.wait(1.5)
    s.run(s.bash("TAG=4be19f2 docker compose up -d web && sleep 8 && docker compose ps", PS, 0, 11.7))
    s.shell("docker compose logs --tail 4 web", LOGS)
    s.shell("docker compose exec db psql -c '\\dt'", "", None)
    here = s.leaf
    s.user("It is unhealthy. Drop the sessions table?")
    s.say(
        'I would not: `relation "sessions" already exists` says that the table came from somewhere else, and there '
        "may be rows in it.\n\nWhat I would do first is look at who made it."
    )
    s.goto(here)
    asked = s.user("It is unhealthy. Find out who made the sessions table.")
    s.run(
        Call(
            "explore",
            {
                "task": "Which commit or tool created the table `sessions` in the staging database?",
                "depth": 2,
            },
            "The table was made by the branch `session-store` (a42c7de, three weeks ago), whose migration has the same "
            "number, 0012, as the login branch's. It holds no rows.",
            details={"steps": 6, "model": "claude-sonnet-4-5"},
            usage=usage_of("claude-sonnet-4-5", 21_400, 640),
            seconds=33.4,
            nested=EXPLORED,
        ),
        thinking="Two migrations with one number would explain it. The explore tool can look through the branches "
        "without filling this conversation.",
    )
    s.say(
        "Two branches both have a migration **0012**. `session-store` was deployed to staging three weeks ago and "
        "made the table; ours then finds it there. The table is empty.\n\n"
        "1. renumber ours to 0013,\n2. let it say `CREATE TABLE IF NOT EXISTS`.\n\nI would do 1."
    )
    s.label(asked, "why unhealthy")
    s.user("Do 1.")
    s.run(
        s.bash(
            "git mv migrations/0012_sessions.sql migrations/0013_sessions.sql && npm run migrate:check",
            "12 applied, 1 pending, no gaps",
        )
    )
    s.run(
        s.bash(
            "TAG=4be19f2 docker compose up -d --build web && sleep 8 && docker compose ps --format '{{.Status}}'",
            "Up 8 seconds (healthy)\nUp 3 weeks",
            0,
            52.8,
        )
    )
    s.say(
        "Healthy: <https://staging.shop.example.org/login> answers `200`.\n\n"
        "## What was done\n\n"
        "1. **Image**: built here, since CI was not done yet\n"
        "2. **Migration**: renumbered to `0013`, see [the compose file](compose.yaml)\n"
        "   - `npm run migrate:check` finds no gaps\n"
        "   - the table of `session-store` is *untouched*\n\n"
        "> If CI builds `4be19f2` later, the tag moves to its image; both are the same code.\n\n"
        'What is left, in [the tracker](https://issues.example.org/shop/88 "Staging"): '
        "~~deploy~~, then drop the empty table."
    )
    return s


def begun() -> Story:
    """One question, no answer yet, and no name."""
    s = Story(202, "shop", "2026-02-25T08:11:02.640+00:00")
    s.model("openai", "gpt-5")
    s.thinking("off")
    s.user(
        "Which of our dependencies have not been updated for two years?\n\nA table with name, version and last release, please."
    )
    return s
