"""The frame of the HTML page: what is before and after the entries, and how all of it looks."""

from __future__ import annotations

import base64
import hashlib

STYLE = """
:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1f2328; --dim: #59636e; --line: #d1d9e0; --box: #f6f8fa; --accent: #0969da;
  --user: #0969da; --assistant: #1a7f37; --tool: #9a6700; --note: #8250df; --bad: #cf222e;
  --added: #dafbe1; --removed: #ffebe9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --text: #e6edf3; --dim: #9198a1; --line: #3d444d; --box: #151b23; --accent: #4493f8;
    --user: #4493f8; --assistant: #3fb950; --tool: #d29922; --note: #ab7df8; --bad: #f85149;
    --added: #12361f; --removed: #4a1a1a;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--ground);
  color: var(--text); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
a { color: var(--accent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; font-size: .875rem; }
dt, .dim, time, .usage, .note { color: var(--dim); }
dd { margin: 0; }
nav { margin: 1rem 0; font-size: .875rem; }
nav ol { max-height: 24rem; overflow: auto; margin: .5rem 0; }
article { border-top: 1px solid var(--line); padding: .9rem 0 .5rem; content-visibility: auto;
  contain-intrinsic-size: auto 12rem; }
article > h2 { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; margin: 0 0 .4rem;
  font-size: .95rem; }
article > h2 time { margin-left: auto; font-weight: normal; font-size: .8rem; }
article > h2 .subject { font-weight: normal; color: var(--dim); }
.user > h2 .role { color: var(--user); }
.assistant > h2 .role { color: var(--assistant); }
.tool > h2 .role { color: var(--tool); }
.summary > h2 .role { color: var(--note); }
.quiet { font-size: .875rem; }
.label { border: 1px solid var(--note); border-radius: 1em; padding: 0 .6em; color: var(--note);
  font-size: .8rem; font-weight: normal; }
.usage { font-size: .8rem; margin: -.2rem 0 .5rem; }
.warning, .error { color: var(--bad); }
p.part { margin: .4rem 0; }
details { margin: .4rem 0; border: 1px solid var(--line); border-radius: 6px; background: var(--box); }
summary { cursor: pointer; padding: .3rem .6rem; font-size: .875rem; }
summary .title { font-weight: 600; }
summary code { background: none; padding: 0; }
.inside { padding: 0 .6rem .4rem; }
pre { margin: .4rem 0; padding: .5rem .7rem; max-height: 36rem; overflow: auto; border-radius: 6px;
  border: 1px solid var(--line); background: var(--ground); white-space: pre-wrap; tab-size: 4; }
pre, code { font: .8125rem/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
code { padding: .1em .35em; border-radius: 4px; background: var(--box); }
pre code { padding: 0; background: none; }
pre ins { background: var(--added); text-decoration: none; display: block; }
pre del { background: var(--removed); text-decoration: none; display: block; }
.prose > :first-child { margin-top: 0; }
.prose > :last-child { margin-bottom: 0; }
.prose h1, .prose h2, .prose h3, .prose h4, .prose h5, .prose h6 { font-size: 1.05rem; margin: 1rem 0 .4rem; }
.prose pre { background: var(--box); }
.plain { white-space: pre-wrap; }
blockquote { margin: .5rem 0; padding-left: .9rem; border-left: 3px solid var(--line); color: var(--dim); }
table { border-collapse: collapse; display: block; overflow: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; }
.center { text-align: center; } .right { text-align: right; }
img { max-width: 100%; max-height: 40rem; border: 1px solid var(--line); border-radius: 6px; }
@media print { details:not([open]) > :not(summary) { display: block; } pre { max-height: none; } }
""".lstrip()

_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src data:; base-uri 'none'; form-action 'none'"
"""What the page may load: its own style and its images. Nothing from elsewhere, and no script at all."""


def opening(title: str) -> str:
    """The page up to its first word.

    Args:
        title: the page's title, escaped.
    """
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    )


CLOSING = "</body>\n</html>\n"
