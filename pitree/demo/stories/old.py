"""Sessions from before: one in each of the two older file formats."""

from __future__ import annotations

from pitree.demo.story import Record, Story


def changelog() -> Story:
    """Format 2: ids are there, but an extension's message still has the role `hookMessage`."""
    s = Story(501, "tally", "2026-02-02T10:31:09.777+00:00")
    s.header["version"] = 2
    s.user("Write the changelog for 0.4 from the commits since v0.3.")
    s.run(
        s.bash(
            "git log v0.3.. --format=%s",
            "Read ledgers line by line\nSay which line is wrong\nfix typo\nSort names without the locale\nmore typos",
        )
    )
    draft = s.say(
        "## 0.4\n\n- Ledgers are read line by line, so large ones no longer need memory.\n"
        "- A line that cannot be read is named by its number.\n- Names sort the same on every machine."
    )
    _hook_message(s, "style-guide", "Changelog lines begin with what a user sees, in the present tense.")
    s.user("Second point: say what it did before.")
    s.say(
        "- A line that cannot be read is an error naming its number; until now it was skipped with a message."
    )
    s.goto(draft)
    s.user("Too long. One line in all.")
    s.say("0.4: large ledgers, better errors, stable sorting.")
    s.label(draft, "long version")
    return s


def _hook_message(s: Story, kind: str, text: str) -> None:
    message: Record = {"role": "hookMessage", "customType": kind, "content": text, "display": True}
    message["timestamp"] = s.now
    s.message(message, len(text) // 4)


def blog() -> Story:
    """Format 1: no ids, one straight line, a compaction that counts records; its folder is gone since."""
    s = Story(502, "old-blog", "2025-11-04T19:02:55.120+00:00")
    s.thinking("off")
    s.user("Move my blog from Jekyll to Hugo. 84 posts, most of them in German, some in 日本語.")
    s.run(
        s.bash(
            "ls _posts | wc -l && ls _posts | head -3",
            "84\n2011-03-04-hallo-welt.md\n2011-03-09-zug-nach-süden.md",
        )
    )
    kept = s.user("Keep the addresses as they are, people link to them.")
    s.run(
        s.write(
            "hugo.toml",
            'baseURL = "https://blog.example.org/"\nlanguageCode = "de"\n[permalinks]\nposts = "/:year/:month/:slug/"\n',
        )
    )
    s.run(
        s.bash(
            "hugo --quiet && diff <(./urls old) <(./urls public)",
            "< /2011/03/zug-nach-süden/\n> /2011/03/zug-nach-suden/",
            1,
        )
    )
    s.say(
        "83 of 84 addresses match. Hugo drops the umlaut in one; an alias in that post's front matter keeps both."
    )
    s.compact(
        "The blog moves to Hugo; permalinks are set; 83 of 84 addresses match, one needs an alias.", kept
    )
    s.shell("hugo server -D", "Web Server is available at http://localhost:1313/", None)
    s.user("And the photos?")
    s.run(s.bash("du -sh assets/photos", "1.9G\tassets/photos"))
    s.say("1.9 GB is too much for the repository.", stop="length")
    s.user("Leave them where they are.")
    s.say("Then `static/photos` becomes a link to the old folder, and nothing else changes.")
    _to_first_format(s)
    return s


def _to_first_format(s: Story) -> None:
    """Take from a straight story what format 1 did not have."""
    place = {entry["id"]: number for number, entry in enumerate(s.entries, start=1)}
    for entry in s.entries:
        if entry["type"] == "compaction":
            entry["firstKeptEntryIndex"] = place[entry.pop("firstKeptEntryId")]
    for entry in s.entries:
        del entry["id"], entry["parentId"]
    del s.header["version"]
    s.header |= {"provider": "anthropic", "modelId": "claude-sonnet-4-5", "thinkingLevel": "off"}
