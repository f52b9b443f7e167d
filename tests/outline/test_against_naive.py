"""The outline against a plain restatement of Pi's rules, over forests and histories of all shapes."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan

from hypothesis import given, settings
from hypothesis import strategies as st

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Order, Outline
from pitree.session.format.entry_type import Kind
from pitree.session.reading.reader import Label
from tests.support.forest import FakeSession, FakeTexts
from tests.support.naive import Naive

WORDS = ("red", "green", "blue")
KINDS = (*Kind, Kind.USER, Kind.USER, Kind.ASSISTANT, Kind.ASSISTANT, Kind.ASSISTANT_SILENT, Kind.TOOL_RESULT)


@dataclass
class Run:
    """A session, its outline, and what the naive one needs to know to agree with it."""

    data: st.DataObject
    session: FakeSession = field(default_factory=FakeSession)
    words: tuple[str, ...] = ()
    narrow: bool = True
    shows_archived: bool = False

    def __post_init__(self) -> None:
        self.texts = FakeTexts(self.session.table)
        self.outline = Outline(self.session, texts=self.texts)

    # What may happen

    def draw(self, strategy: st.SearchStrategy[int]) -> int:
        return self.data.draw(strategy)

    def append(self) -> None:
        """Some entries at once, mostly a chain: on any entry, none, a missing one, one yet to come."""
        table = self.session.table
        count = self.draw(st.integers(1, 6))
        for place in range(count):
            index = len(table)
            entry_id = f"e{index}"
            if index and self.draw(st.integers(0, 29)) == 0:
                entry_id = table.ids[self.draw(st.integers(0, index - 1))]
            how = self.draw(st.integers(0, 19))
            parent: str | None = f"e{index - 1}" if index else None
            if index and (how < 6 if place == 0 else how < 3):
                parent = table.ids[self.draw(st.integers(0, index - 1))]
            elif how == 10:
                parent = None
            elif how == 11:
                parent = "missing"
            elif how == 12:
                parent = f"e{index + self.draw(st.integers(0, 5))}"
            kind = self.data.draw(st.sampled_from(KINDS))
            time = self.data.draw(st.sampled_from((float(index), float(index), 3.0, nan)))
            text = " ".join(self.data.draw(st.lists(st.sampled_from(WORDS), max_size=2)))
            self.session.add(entry_id, parent, kind, time, text, settle=False)
            if kind is Kind.LABEL and index:
                self.label()
        table.settle()
        if self.draw(st.booleans()):
            self.session.moved_leaf = None

    def label(self) -> None:
        ids = self.session.table.ids
        entry_id = ids[self.draw(st.integers(0, len(ids) - 1))]
        if self.draw(st.integers(0, 3)):
            self.session.labels[entry_id] = Label(self.data.draw(st.sampled_from(WORDS)), "")
        else:
            self.session.labels.pop(entry_id, None)

    def lengthen(self) -> None:
        """Some entries at the end of the last one's chain, as a live session grows."""
        for _ in range(self.draw(st.integers(1, 3))):
            index = len(self.session.table)
            parent = self.session.table.ids[-1] if index else None
            kind = self.data.draw(st.sampled_from((Kind.USER, Kind.ASSISTANT, Kind.ASSISTANT_SILENT)))
            self.session.add(f"e{index}", parent, kind, float(index), self.data.draw(st.sampled_from(WORDS)))

    def move_leaf(self) -> None:
        self.session.moved_leaf = self.draw(st.integers(-1, len(self.session.table) - 1))

    def limit_texts(self) -> None:
        """From now on only some of the texts are there."""
        covered = self.texts.covered
        self.texts.limit = covered + self.draw(st.integers(0, 4))

    def set_filter(self) -> None:
        self.outline.set_filter(self.data.draw(st.sampled_from(list(FilterMode))))

    def set_order(self) -> None:
        self.outline.set_order(self.data.draw(st.sampled_from(list(Order))))

    def set_query(self) -> None:
        self.words = tuple(self.data.draw(st.lists(st.sampled_from((*WORDS, "re", "e")), max_size=2)))
        self.narrow = self.draw(st.integers(0, 3)) > 0
        self.outline.set_query(" ".join(self.words), narrow=self.narrow)

    def set_archived(self) -> None:
        ids = self.session.table.ids
        starts = self.data.draw(st.sets(st.sampled_from(ids), max_size=3)) if ids else set()
        self.shows_archived = self.draw(st.integers(0, 3)) == 0
        self.outline.set_archived(starts, show=self.shows_archived)

    def fold(self) -> None:
        rows = [number for number, row in enumerate(self.outline.rows()) if row.fold]
        if rows:
            row = rows[self.draw(st.integers(0, len(rows) - 1))]
            assert self.outline.unfold(row) or self.outline.fold(row)

    # What must hold

    def naive(self) -> Naive:
        return Naive(
            self.session,
            self.outline.filter,
            words=self.words,
            narrow=self.narrow,
            known_texts=self.texts.covered,
            folds=frozenset(self.outline._view.folds),
            by_time=self.outline.order is Order.TIME,
            archived=self.outline._view.archived,
            shows_archived=self.shows_archived,
        )

    def check(self) -> None:
        outline, naive = self.outline, self.naive()
        count = len(self.session.table)
        rows = list(outline.rows())
        assert [row.index for row in rows] == [row.index for row in naive.rows]
        assert [row.indent for row in rows] == [row.indent for row in naive.rows]
        assert [row.guides for row in rows] == [row.guides for row in naive.rows]
        assert [row.fold for row in rows] == [row.fold for row in naive.rows]
        assert [row.on_path for row in rows] == [row.on_path for row in naive.rows]
        assert [row.hit for row in rows] == [row.index in naive.hits for row in naive.rows]
        assert {row.index: row.hidden for row in rows if row.fold == "closed"} == {
            row.index: naive.hidden[row.index] for row in naive.rows if row.fold == "closed"
        }
        assert {row.index: row.away for row in rows if row.away} == naive.away
        assert outline.archived_count == naive.archived_count
        assert [outline.is_archived(index) for index in range(count)] == [
            index in naive.archived for index in range(count)
        ]
        assert len(outline) == len(naive.rows)
        assert outline.hit_count == naive.hit_count
        assert outline.entry_count == count
        numbers = range(len(rows))
        assert [outline.index_at(number) for number in numbers] == [row.index for row in naive.rows]
        assert [outline.row(number) for number in numbers] == rows
        at = {row.index: number for number, row in enumerate(naive.rows)}
        assert [outline.row_of(index) for index in range(count)] == [at.get(index) for index in range(count)]
        assert [outline.nearest_row(index) for index in range(-1, count)] == [
            naive.nearest(index) for index in range(-1, count)
        ]
        assert outline.initial_row == naive.nearest(naive.leaf)
        assert [outline.branch_up(number) for number in numbers] == [naive.branch_up(n) for n in numbers]
        assert [outline.branch_down(number) for number in numbers] == [naive.branch_down(n) for n in numbers]
        hits = [number for number in numbers if rows[number].hit]
        for number in numbers:
            after = [hit for hit in hits if hit > number] + [hit for hit in hits if hit <= number]
            before = [hit for hit in hits[::-1] if hit < number] + [
                hit for hit in hits[::-1] if hit >= number
            ]
            assert outline.next_hit(number) == (after[0] if after else None)
            assert outline.next_hit(number, -1) == (before[0] if before else None)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_forest(data: st.DataObject) -> None:
    """A forest made at once agrees under every filter, with folds and without."""
    run = Run(data)
    for _ in range(data.draw(st.integers(0, 5))):
        run.append()
    for _ in range(data.draw(st.integers(0, 4))):
        run.append()
        run.label()
    run.move_leaf()
    run.outline = Outline(run.session, texts=run.texts)
    for mode in FilterMode:
        run.outline.set_filter(mode)
        run.check()
        run.fold()
        run.check()
    run.set_archived()
    run.check()
    run.set_query()
    run.check()


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_history(data: st.DataObject) -> None:
    """A session that grows under its outline agrees after each step, whatever was folded, found or moved."""
    run = Run(data)
    steps = [
        run.append,
        run.append,
        run.lengthen,
        run.lengthen,
        run.fold,
        run.fold,
        run.set_filter,
        run.set_query,
        run.set_archived,
    ]
    steps += [run.set_order, run.limit_texts, run.move_leaf]
    for _ in range(data.draw(st.integers(1, 15))):
        step = data.draw(st.sampled_from(steps))
        before = list(run.outline.rows())
        step()
        first = run.outline.refresh()
        if step in (run.append, run.lengthen, run.move_leaf):
            assert list(run.outline.rows(0, first)) == before[:first]
            assert first <= len(run.outline)
        run.check()
