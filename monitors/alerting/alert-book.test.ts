import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Alert, Due } from './alert.ts';
import { AlertBook } from './alert-book.ts';
import { collectMs, joinMs } from './alert-times.ts';
import type { Condition, Severity } from './cause.ts';
import { day, hour, midnight, minute } from './testing/slots.ts';

const second = 1000;
const policy = { collect: collectMs, reminder: { page: hour / 2, ticket: day } };
const nothing = { groups: {}, parents: {} };

function condition(target: string, holds: boolean, more: Partial<Condition> = {}): Condition {
  return {
    ...{ source: 'availability', subject: { target }, holds, severity: 'page', family: 'status 503' },
    words: () => 'down',
    ...more,
  };
}

/** A book, and what was due each second since it began. */
class Stage {
  readonly book: AlertBook;
  readonly due: { readonly at: number; readonly due: Due }[] = [];
  now = midnight;

  constructor(topology = nothing, more: Partial<typeof policy & { escalateAfter: number }> = {}) {
    this.book = new AlertBook('here', { ...policy, ...more }, topology);
  }

  pass(ms: number): void {
    for (const end = this.now + ms; this.now < end; this.now += second)
      this.due.push(...this.book.advance(this.now, true).map((due) => ({ at: this.now - midnight, due })));
  }

  hold(...all: readonly Condition[]): void {
    for (const one of all) this.book.hold(one, this.now);
  }

  get said(): string[] {
    return this.due.map(
      ({ at, due }) => `${at / second} ${due.kind} ${Object.keys(due.alert.touches).length}`,
    );
  }
}

test('three hundred targets that fail alike are one message after twenty seconds', () => {
  const stage = new Stage();
  const all = Array.from({ length: 300 }, (_, n) => `t${n}`);
  stage.hold(...all.map((target) => condition(target, true)));
  stage.pass(10 * minute);
  stage.hold(...all.map((target) => condition(target, false)));
  stage.pass(minute);
  expect(stage.said).toEqual(['20 fired 300', '600 resolved 300']);
});

test('those that fail within two minutes are in one change, and a later one in another a quarter of an hour after it', () => {
  const stage = new Stage();
  stage.hold(condition('first', true));
  stage.pass(30 * second);
  for (let n = 0; n < 5; n++) {
    stage.hold(condition(`more-${n}`, true));
    stage.pass(10 * second);
  }
  stage.pass(3 * minute);
  stage.hold(condition('more-5', true, { lastGood: midnight, began: midnight + minute }));
  stage.pass(20 * minute);
  expect(stage.said).toEqual([`20 fired 1`, `${20 + joinMs / second} changed 6`, `${140 + 900} changed 7`]);
});

test('one configured target is not kept waiting', () => {
  const stage = new Stage(nothing, { collect: 0 });
  stage.hold(condition('only', true));
  stage.pass(second);
  expect(stage.said).toEqual(['0 fired 1']);
});

test('an alert that nobody heard of before it was over is its end alone', () => {
  const stage = new Stage();
  stage.hold(condition('one', true));
  stage.pass(10 * second);
  stage.hold(condition('one', false));
  stage.pass(minute);
  expect(stage.said).toEqual(['10 resolved 1']);
});

test('a page that nobody took goes to the next sink, and one that somebody took does not', () => {
  for (const isTaken of [false, true]) {
    const stage = new Stage(nothing, { escalateAfter: 15 * minute });
    stage.hold(condition('one', true));
    stage.pass(minute);
    if (isTaken) stage.book.acknowledge(() => true, 'by kim', stage.now);
    stage.pass(20 * minute);
    const escalated = stage.due.filter(({ due }) => due.isEscalation).map(({ at }) => at / minute);
    expect(escalated).toEqual(isTaken ? [] : [15]);
  }
});

type Step = {
  readonly target: number;
  readonly holds: boolean;
  readonly severity: Severity;
  readonly family: number;
  readonly wait: number;
};

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    target: fc.nat(3),
    holds: fc.boolean(),
    severity: fc.constantFrom('page', 'ticket'),
    family: fc.nat(2),
    wait: fc.constantFrom(1, 7, 30, 90, 400, 2000),
  }),
  { minLength: 1, maxLength: 60 },
);

/** Plays a history; `restarts` opens the book anew from its JSON after each step. */
function play(
  all: readonly Step[],
  restarts: boolean,
): { kinds: Map<string, string[]>; open: readonly Alert[] } {
  let book = new AlertBook('here', policy, nothing);
  let now = midnight;
  const kinds = new Map<string, string[]>();
  const say = (due: readonly Due[]): void => {
    for (const { alert, kind } of due) kinds.set(alert.id, [...(kinds.get(alert.id) ?? []), kind]);
  };
  for (const { target, holds, severity, family, wait } of all) {
    book.hold(condition(`t${target}`, holds, { severity, family: `f${family}` }), now);
    say(book.advance(now, true));
    for (const end = now + wait * second; now < end; now += second * Math.min(wait, 10))
      say(book.advance(now, true));
    if (restarts) book = new AlertBook('here', policy, nothing, JSON.parse(JSON.stringify(book.alerts)));
  }
  for (const [target] of Array(4).entries()) book.hold(condition(`t${target}`, false), now);
  for (const end = now + 2 * day; now < end; now += minute) say(book.advance(now, true));
  return { kinds, open: book.alerts };
}

test('in any history each alert begins, ends once for each beginning, and is forgotten', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { kinds, open } = play(all, false);
      expect(open).toEqual([]);
      for (const said of kinds.values())
        expect(said.join(' ')).toMatch(/^((fired( changed| reminder)* )?resolved ?)+$/);
    }),
  );
});

test('in any history a restart changes nothing', () => {
  fc.assert(
    fc.property(steps, (all) => {
      expect(play(all, true)).toEqual(play(all, false));
    }),
  );
});
