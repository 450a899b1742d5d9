import type { Outcome, RuleResult, Run } from '@candleproof/law/judge/verdict';
import type { Badge } from '@candleproof/monitors/page/badge';
import { cleanRun } from '@candleproof/reports/testing/sample-run';
import { expect, test } from '@playwright/test';
import { badgeFiles } from './common-files.ts';
import { indexFiles } from './pages/index-page.ts';
import { changeInWords, nowInWords } from './pages/story-words.ts';
import { targetFiles } from './pages/target-page.ts';
import { makeRecord, sortByTime, type TargetRecord } from './records.ts';
import { readStory, type Story, verdictNow } from './story.ts';

/** Builds runs of a target day by day, from the outcomes of its one rule; `-` is a run without a verdict. */
function storyWith(days: string): Story {
  return storyFrom([...days].map(makeRun));
}

function storyFrom(all: readonly Run[]): Story {
  const lists: Record<string, TargetRecord['ruleLists'][string]> = {};
  const runs = all.map((run, day) => {
    const { record, rules } = makeRecord(run, String(day).padStart(16, '0'));
    lists[record.rules] = rules;
    return record;
  });
  const story = readStory({
    name: 'main',
    slug: 'main',
    ruleLists: lists,
    runs: sortByTime(runs.toReversed()),
  });
  if (!story) throw new Error('a target with runs has a story');
  return story;
}

function makeRun(letter: string, day: number): Run {
  const outcomes: Record<string, Outcome> = {
    p: 'passed',
    f: 'failed',
    '-': 'unexercised',
    u: 'unexercised',
  };
  const outcome = outcomes[letter] ?? 'passed';
  const verdict = letter === '-' ? 'inconclusive' : letter === 'f' ? 'nonconformant' : 'conformant';
  const startedAt = `2026-03-${String(day + 1).padStart(2, '0')}T00:00:00Z`;
  return {
    ...cleanRun,
    verdict,
    startedAt,
    rules: cleanRun.rules.slice(0, 1).map((ruleResult) => ({ ...ruleResult, outcome })),
  };
}

function runDay(run: { readonly startedAt: string } | undefined): string | undefined {
  return run?.startedAt.slice(5, 10);
}

test('a target stands as its newest run with a verdict says, since its runs say so', () => {
  const story = storyWith('pff-f-');
  expect([runDay(story.latest), runDay(story.judged), runDay(story.since)]).toEqual([
    '03-06',
    '03-05',
    '03-02',
  ]);
  expect(nowInWords(story)).toBe('Nonconformant since 2026-03-02: 1 must fails');
  expect(nowInWords(storyWith('--'))).toBe('Inconclusive: no run has come to a verdict yet');
});

test('a newest run that decided nothing leaves a target neither green on its page nor in its badge', () => {
  const badge = (story: Story): Partial<Badge> => JSON.parse(badgeFiles(story)[1]?.[1] ?? '');
  const story = storyWith('pp-');
  expect(verdictNow(story)).toBe('inconclusive');
  expect(nowInWords(story)).toBe('Inconclusive; conformant from 2026-03-01 to 2026-03-02');
  expect(badge(story)).toMatchObject({
    message: '? inconclusive, 2026-03-03',
    color: 'lightgrey',
  });
  expect([verdictNow(storyWith('pf-')), badge(storyWith('pf-')).color]).toEqual(['nonconformant', 'red']);
  expect([verdictNow(storyWith('p-p')), badge(storyWith('p-p')).color]).toEqual([
    'conformant',
    'brightgreen',
  ]);
});

test('a badge says what share was judged and what a baseline hides; only a whole run without it is green', () => {
  const badge = (changes: Partial<Run>): Partial<Badge> =>
    JSON.parse(badgeFiles(storyFrom([{ ...makeRun('p', 0), ...changes }]))[1]?.[1] ?? '');
  const [rule] = makeRun('p', 0).rules as [RuleResult];
  const at = '2026-03-01';
  expect(badge({})).toMatchObject({ message: `✓ conformant, 1 of 1 judged, ${at}`, color: 'brightgreen' });
  expect(badge({ unchosen: 65 })).toMatchObject({
    message: `? conformant, 1 of 66 judged, ${at}`,
    color: 'lightgrey',
  });
  const beyond: RuleResult = { ...rule, id: 'a/b', outcome: 'unexercised', beyondBudget: true };
  expect(badge({ rules: [rule, beyond] })).toMatchObject({
    message: `? conformant, 1 of 2 judged, ${at}`,
    color: 'lightgrey',
  });
  expect(badge({ rules: [{ ...rule, outcome: 'known' }], unchosen: 65 })).toMatchObject({
    message: `! conformant, 1 of 66 judged, 1 known failing, ${at}`,
    color: 'orange',
  });
  expect(badge({ verdict: 'nonconformant', rules: [{ ...rule, outcome: 'failed' }] })).toMatchObject({
    message: `✗ 1 must broken, ${at}`,
    color: 'red',
  });
});

test('a badge stays narrow enough for a line of badges, whatever its target is called', () => {
  const width = (story: Story): number =>
    Number(/ width="(\d+)"/.exec(badgeFiles(story)[0]?.[1] ?? '')?.[1] ?? Number.NaN);
  const named = (days: string, name: string): Story => {
    const story = storyWith(days);
    return { ...story, target: { ...story.target, name } };
  };
  for (const days of ['p', 'f', 'pp-', '-'])
    for (const name of ['mainnet', 'api.testnet.example:8443', 'x'.repeat(300)])
      expect(width(named(days, name)), `${days} ${name.slice(0, 30)}`).toBeLessThanOrEqual(390);
  expect(width(named('f', 'mainnet'))).toBeLessThanOrEqual(250);
});

test('the home page, the page of a target and the feed hide no known failing and no part left out', () => {
  const [rule] = makeRun('p', 0).rules as [RuleResult];
  const known: Partial<Run> = { rules: [{ ...rule, outcome: 'known' }], unchosen: 70 };
  const story = storyFrom([makeRun('f', 0), { ...makeRun('p', 1), ...known }]);
  const records = {
    now: '2026-03-03T00:00:00Z',
    stories: [story],
    rules: [],
    matrices: [],
    loads: [],
    months: [],
  };
  const read = (slug: string, id: string) => ({ slug, id, run: makeRun('p', 1) });
  const files = new Map([...indexFiles(records, read), ...targetFiles(story, records)]);
  const share = '1 of 71 judged, 1 known failing';
  expect(files.get('index.html')).toContain(
    '1 of 1 target breaks a must that the baseline knows; 1 of 1 judged in part by choice</h1>',
  );
  expect(files.get('index.html')).toContain('<th scope="col"><i class="mark known"></i>');
  expect(files.get('feed.xml')).toContain(`main: conformant, ${share}, before nonconformant`);
  expect(files.get('t/main/index.html')).toContain(`Musts: ${share}; rules `);
  expect(files.get('t/main/index.html')).toContain(
    '<div class="banner partial"><p class="pill"><i class="mark known">',
  );
  expect(nowInWords(story)).toBe(`Conformant since 2026-03-02: ${share}`);
});

test('news is the newest run that failed or mended something, whatever inconclusive runs lie between', () => {
  const { news } = storyWith('pf-pp-');
  expect([runDay(news?.run), news && changeInWords(news.difference)]).toEqual(['03-04', '1 fixed']);
  expect(storyWith('f-f-').news).toBeUndefined();
  expect(runDay(storyWith('pfuu').news?.run)).toBe('03-02');
});

test('a run is compared with the last before it that came to a verdict', () => {
  const { runs } = storyWith('p--f').target;
  expect(runs.map(({ before }) => before && Number(before))).toEqual([undefined, 0, 0, 0]);
});
