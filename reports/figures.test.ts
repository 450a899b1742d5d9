import { gatePage } from '@candleproof/gate/page/gate-page';
import { formatCsv, judgeTables, listTimes, makeRows } from '@candleproof/gate/testing/tables';
import type { RuleResult } from '@candleproof/law/judge/verdict';
import { loadPage } from '@candleproof/load/page/load-page';
import { sampleFigures, sampleRun as sampleLoad } from '@candleproof/load/testing/runs';
import { expect, test } from '@playwright/test';
import { renderHtml } from './formats/html.ts';
import { count, expectPlaces, readPage } from './testing/page-figures.ts';
import { sampleRun } from './testing/sample-run.ts';

/** Lists the numbers of a value, those in its texts included; instants as pages write them. */
function listNumbers(value: unknown): string[] {
  if (typeof value === 'number')
    return [
      String(value),
      String(Number(value.toPrecision(8))),
      ...(value > 1e9 && value < 1e10 ? dateParts(value) : []),
    ];
  if (typeof value === 'string') return value.match(/\d[\d,]*(?:\.\d+)?/g) ?? [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listNumbers) : [];
}

function dateParts(seconds: number): string[] {
  return new Date(1000 * seconds).toISOString().match(/\d+/g) ?? [];
}

test('each number of a run page is in its run, or counts what is there', () => {
  const run = JSON.parse(JSON.stringify(sampleRun)) as typeof sampleRun;
  const judged = run.rules.filter(({ level }) => level !== 'observe');
  const isOpen = ({ outcome }: RuleResult): boolean =>
    outcome === 'unexercised' || outcome === 'inconclusive';
  const holds = ({ outcome }: RuleResult): boolean => outcome === 'passed' || outcome === 'surprised';
  const of = (level: string): RuleResult[] => judged.filter((rule) => rule.level === level);
  const [musts, shoulds] = [of('must'), of('should')];
  const sections = [...Map.groupBy(judged, ({ section }) => section)]
    .toSorted(
      ([a], [b]) => Number(a === '') - Number(b === '') || a.localeCompare(b, 'en', { numeric: true }),
    )
    .map(([, rules]) => rules);
  const some = sections.filter((rules) => !rules.every(isOpen));
  const causes = new Set(run.findings.map(({ rule }) => rule)).size;
  const lasted = (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000;
  const left = expectPlaces(readPage(renderHtml(run)), [
    [
      /(\d+) findings (\d+) rules (\d+) observations/g,
      [[run.findings.length, judged.length, run.observations.length]],
    ],
    [/and (\d+) more causes/g, [[causes - count(run.findings, ({ known }) => known !== undefined) - 1]]],
    [
      /Musts (\d+) fail , (\d+) known to fail, (\d+) hold (\d+) of (\d+) not judged/g,
      [
        [
          count(musts, ({ outcome }) => outcome === 'failed'),
          count(musts, ({ outcome }) => outcome === 'known'),
          count(musts, holds),
          count(musts, isOpen),
          musts.length,
        ],
      ],
    ],
    [
      /Shoulds (\d+) fails , (\d+) hold (\d+) of (\d+) not judged/g,
      [
        [
          count(shoulds, ({ outcome }) => outcome === 'failed'),
          count(shoulds, holds),
          count(shoulds, isOpen),
          shoulds.length,
        ],
      ],
    ],
    [/Requests (\d+) of (\d+) /g, [[run.requests.sent, run.requests.budget]]],
    [
      /(\d+) of (\d+) judged passed/g,
      some.map((rules) => [count(rules, holds), count(rules, (rule) => !isOpen(rule))]),
    ],
    [
      /judged passed, (\d+) of (\d+) not judged/g,
      some.filter((rules) => rules.some(isOpen)).map((rules) => [count(rules, isOpen), rules.length]),
    ],
    [
      /(?<!of )\b(\d+) not judged/g,
      sections.filter((rules) => rules.every(isOpen)).map((rules) => [rules.length]),
    ],
    [/Why (\d+) rules could not be judged/g, [[count(judged, isOpen)]]],
    [
      /(\d+) causes, (\d+) of them not identified, (\d+) rules, (\d+) findings/g,
      [[causes, causes, causes, run.findings.length]],
    ],
    [
      /Observations (\d+), (\d+) changed/g,
      [[run.observations.length, count(run.observations, ({ changed }) => changed)]],
    ],
    [
      /(\d+) questions? without an answer/g,
      [[count(run.rules, ({ level, outcome }) => level === 'observe' && outcome !== 'passed')]],
    ],
    [/, ([\d.]+) % of a month of ([\d,]+)/g, [[(100 * run.requests.sent) / 10_000, 10_000]]],
    [/, after ([\d.]+) s/g, [[Math.round(10 * lasted) / 10]]],
    [/(\d+) proper requests were not/g, [[run.transient.reduce((sum, failure) => sum + failure.count, 0)]]],
    [
      /(\d+) more examples/g,
      run.findings.filter(({ examples }) => examples.length > 1).map(({ examples }) => [examples.length - 1]),
    ],
  ]);
  // Faults that prove a rule are no figures of the run.
  const rest = left.replace(/Proven by .*?Tell the operator|SHA-256|ISO 8601/g, ' ');
  const known = new Set([
    ...listNumbers(run),
    ...run.findings.map((_, at) => String(at + 1)),
    ...run.findings.flatMap(({ examples }) => examples.map(({ candles = [] }) => String(candles.length))),
  ]);
  const unknown = [...rest.matchAll(/(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)/g)].filter(
    ([text]) => !known.has(text) && !known.has(text.replaceAll(',', '')) && !known.has(String(Number(text))),
  );
  expect(unknown.map((match) => rest.slice(Math.max(0, match.index - 40), match.index + 20))).toEqual([]);
});

test('the totals of a load page are the sums of its slices', () => {
  const run = sampleLoad({
    breached: 20,
    slices: sampleFigures.slices.map((slice, at) => ({ ...slice, breached: at < 2 ? 10 : 0 })),
  });
  const { slices, outcomes } = run.figures;
  const sum = (name: 'sent' | 'judged' | 'breached'): number =>
    slices.reduce((all, slice) => all + slice[name], 0);
  expectPlaces(readPage(loadPage(run)), [
    [/([\d,]+) of ([\d,]+) requests over (\d+) s/g, [[sum('sent'), run.trial.bill, 20]]],
    [/(\d+) of ([\d,]+) judged answers were wrong/g, [[sum('breached'), sum('judged')]]],
    [/ ok ([\d,]+) /g, [[outcomes.ok]]],
    [
      /\b(\d+) s (\d+) (\d+) (\d+) 0 0 0 (\d+) (\d+) (?=\d)/g,
      slices.map(({ sent, judged, breached }, at) => [at, 50, sent, sent, judged, breached]),
    ],
  ]);
});

test('the totals of a gate page are those of the ranges and rules of its files', async () => {
  const rows = makeRows(listTimes(600, 300)).filter((_, at) => at !== 200);
  const broken = rows.map((row, at) => (at % 90 === 7 ? { ...row, low: row.high + 1 } : row));
  const gated = await judgeTables({ 'five.csv': formatCsv(broken) });
  const damaged = count(gated.ranges, ({ certainty }) => certainty === 'breach');
  const text = readPage(gatePage(gated, '1.0.0'));
  expectPlaces(text, [
    [/(\d+) damaged ranges; the worst/g, [[damaged]]],
    [
      /UTC · (\d+) rows · (\d+) intervals? without a row/g,
      [
        [
          rows.length,
          gated.ranges.filter(({ kind }) => kind === 'gap').reduce((all, gap) => all + gap.rows, 0),
        ],
      ],
    ],
    [/Damaged ranges (\d+) ranges/g, [[damaged]]],
  ]);
  const judged = gated.files[0]?.rules.filter(({ id }) => id === 'candle/low-is-lowest') ?? [];
  expect(judged.map((rule) => [rule.judged, rule.broken])).toEqual([
    [rows.length, broken.filter(({ low, open, close, high }) => low > Math.min(open, close, high)).length],
  ]);
});
