"""Texts that would do harm in a file, in a page or in a terminal, one for each kind of harm."""

from __future__ import annotations

HOSTILE: dict[str, str] = {
    "script": 'before <script>alert(1)</script> after <img src=x onerror="alert(2)">',
    "script end": "</script></style></title></textarea><script>alert(3)</script>",
    "comment": "<!-- hidden --> <![CDATA[ x ]]> ]]> <?php x ?>",
    "javascript link": "[click](javascript:alert(4)) <javascript:alert(5)> [x]: javascript:alert(6)",
    "encoded link": "[click](java&#115;cript:alert(7)) [c](&#x6A;avascript&colon;alert(8)) [d](JaVaScRiPt:x)",
    "defined link": "[click][evil] [evil]\n\n[evil]: javascript:alert(9)\n[click]: <data:text/html,x>",
    "data link": "[a](data:text/html;base64,PHNjcmlwdD4=) [b](vbscript:x) [c](file:///etc/passwd)",
    "picture": "![p](http://example.invalid/pixel.png) ![q](data:image/svg+xml,<svg/onload=alert(10)>)",
    "attribute": '[a](http://x.invalid/"onmouseover="alert(11)) [b](http://x.invalid "t" onclick=x)',
    "bidi": "safe\u202egnp.exe\u202c \u2066x\u2069 \u200f &#x202e;entity &rlm;",
    "zero width": "pass\u200bword\ufeff \u2060 so\u00adft &ZeroWidthSpace; &shy;",
    "C0": "bell\x07 esc\x1b[2J\x1b]0;title\x07 nul\x00 bs\x08",
    "OSC 8": "\x1b]8;;http://evil.invalid\x1b\\link\x1b]8;;\x1b\\ \x1b]8;;x\x07y\x1b]8;;\x07",
    "OSC 52": "\x1b]52;c;ZXZpbA==\x07 \x1b]52;c;?\x1b\\",
    "title": "\x1b]0;pwned\x07 \x1b]2;pwned\x1b\\ \x1b[21t",
    "cursor": "\x1b[2J\x1b[H\x1b[9;9Hx \x1b[?1049l\x1b7\x1b8\x1bM\x1bc\b\r\v\f",
    "C1": "csi\x9b2J osc\x9d52;c;AAAA\x9c next\x85line",
    "surrogates": "lone \ud800 and \udfff here",
    "marks": "Z" + "\u0301" * 1_000 + " end",
    "open fence": "look:\n\n```html\n<script>alert(12)</script>\nnever closed",
    "longer fence": "`````\n```\n</pre>\n`````\n~~~\nopen tildes",
    "fence in a list": "- a\n  ```\n  x\n<script>alert(13)</script>\n\n```",
    "code spans": "`<b>` ``a ` <i>`` \\`<u>` `open <script>alert(14)</script>",
    "table": "| ` | ` a ` <script>alert(15)</script> ` |\n|---|---|\n| a | b |",
    "autolink": "<https://x.invalid/`> `<b>` <script>alert(16)</script>`",
    "markup": "[bold]x[/] [@click=app.quit]y[/] $(touch /tmp/x) {{7*7}} ${x}",
    "html block": "<div>\n\n```\n</div>\n\n<script>alert(17)</script>\n",
    "deep": ">" * 3_000 + "- " * 3_000 + "[" * 3_000 + "x](javascript:alert(18))",
    "headings": "# user\n\nSetext\n======\n\n***\n---\n> quote\n1. one\n+ plus",
}
"""Kind of harm → a text."""

HARMLESS = frozenset({"markup", "headings"})
"""Kinds that must come out as the text they are."""
