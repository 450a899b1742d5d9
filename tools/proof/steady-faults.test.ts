import { loadSpec } from '@candleproof/document/spec/load-spec';
import { applyBaseline } from '@candleproof/law/judge/baseline';
import { updateBaseline } from '@candleproof/law/judge/baseline-update';
import type { Judged } from '@candleproof/law/judge/judge';
import { once } from '@candleproof/law/reading/once';
import type { Fault } from '@candleproof/reference-service/faults/fault';
import { FAULTS, makeDistortion } from '@candleproof/reference-service/faults/registry';
import { describeCause, findCauses, findLeading } from '@candleproof/reports/words/causes';
import { expect, test } from '@playwright/test';
import { day, nothingKnown } from 'candleproof/kill-matrix/stage';
import { ClockedService } from './testing/clocked-service.ts';
import { latencies, minutelyFaults, minutes, systematicFaults } from './testing/systematic-faults.ts';

const spec = loadSpec('openapi.yaml');

const [first = Number.NaN] = minutes;

/** The verdicts on one fault: of checks at each minute, and of those of the first minute whose answers are slow. */
type Shown = {
  readonly fault: Fault;
  readonly byMinute: readonly string[];
  readonly byLatency: readonly string[];
  /** The first line of each minute's report, without its numbers and without where it was met. */
  readonly titles: readonly string[];
  /** By a baseline of the first minute, or in a thorough test of each. */
  readonly byBaseline: readonly string[];
};

const exits = { conformant: 0, nonconformant: 1, inconclusive: 3 } as const;

/** Formats what must be the same for the same build. */
function formatVerdict({ verdict, findings }: Judged): string {
  const rules = new Set(findings.map(({ rule }) => rule));
  return `exit ${exits[verdict]}: ${[...rules].sort().join(', ')}`;
}

function formatTitle(judged: Judged): string {
  const causes = findCauses(judged);
  const cause = findLeading(judged, causes)?.cause ?? causes[0];
  const title = cause ? describeCause(cause, judged) : '';
  return title.replace(/, (only of|met in) .*$/, '').replace(/\d+([.,]\d+)*/g, '#');
}

/** Formats the verdict by a baseline and what of the baseline is news, which is nothing but the exit code if it holds. */
function formatKnown({ verdict, baseline, findings, observations }: Judged): string {
  const gone = (baseline?.known ?? []).filter(({ status }) => status === 'surprised');
  const unknown = findings.filter(({ level, known }) => level === 'must' && !known);
  return [
    `exit ${exits[verdict]}`,
    ...gone.map(({ fingerprint }) => `gone: ${fingerprint}`),
    ...unknown.flatMap(({ places = [] }) => places.map(({ failing }) => `new: ${failing}`)),
    ...observations.flatMap(({ id, changed }) => (changed ? [`changed: ${id}`] : [])),
  ].join('; ');
}

/** Measures each check by the baseline that others write. */
function measureByBaselines(all: readonly Judged[]): string[] {
  const writers = process.env.CANDLEPROOF_THOROUGH ? all : all.slice(0, 1);
  return writers.flatMap((writer) => {
    const { baseline } = updateBaseline(applyBaseline(writer, nothingKnown, day), nothingKnown, day);
    return all.map((judged) => formatKnown(applyBaseline(judged, baseline, day)));
  });
}

const service = once(() => new ClockedService(spec, first, {}, 18));

async function checkFault(number: string, slow: readonly number[]): Promise<Shown> {
  const fault = FAULTS.find((one) => one.number === number);
  if (!fault) throw new Error(`there is no fault ${number}`);
  const judge = async (at: number, latency: number): Promise<Judged> =>
    (await service().check({ at, distortions: [makeDistortion({ fault })], latency })).judged;
  const judged: Judged[] = [];
  for (const at of minutes) judged.push(await judge(at, 0));
  const byLatency: string[] = [];
  for (const latency of slow) byLatency.push(formatVerdict(await judge(first, latency)));
  return {
    ...{ fault, byLatency, titles: judged.map(formatTitle) },
    ...{ byMinute: judged.map(formatVerdict), byBaseline: measureByBaselines(judged) },
  };
}

const shown: Promise<Shown>[] = [];

/** A pipeline tries all faults, every other run one in eight. */
const isWhole = process.env.CI === 'true' || process.env.CANDLEPROOF_THOROUGH !== undefined;
const isTried = (_: unknown, at: number): boolean => isWhole || at % 8 === 0;
const tried = systematicFaults.filter(isTried);

/** Checks the faults that are tried, once for all tests. */
async function takeShown(): Promise<readonly Shown[]> {
  for (const number of tried.slice(shown.length)) {
    const one = checkFault(number, latencies.slice(1));
    shown.push(one);
    await one;
  }
  return Promise.all(shown);
}

test.beforeEach(() => {
  test.setTimeout(120_000 + minutes.length * 60_000);
});

test(`${tried.length} systematic faults get one verdict for the same rules at every minute`, async () => {
  expect(new Set(systematicFaults).size).toBe(41);
  for (const { fault, byMinute } of await takeShown()) {
    expect(byMinute, fault.number).toEqual(minutes.map(() => byMinute[0]));
    expect(byMinute[0], fault.number).toContain(fault.breaks[0]);
  }
});

test('a systematic fault has one first line at every minute', async () => {
  for (const { fault, titles } of await takeShown())
    expect(titles, fault.number).toEqual(titles.map(() => titles[0]));
});

test('slow answers change neither the verdict nor the rules of a systematic fault', async () => {
  for (const { fault, byMinute, byLatency } of await takeShown())
    expect(byLatency, fault.number).toEqual(byLatency.map(() => byMinute[0]));
});

test('a baseline written from a systematic fault holds at every minute, and nothing of it is gone or changed', async () => {
  for (const { fault, byBaseline } of await takeShown())
    expect(byBaseline, fault.number).toEqual(byBaseline.map(() => 'exit 0'));
});

test('of other faults only those rules differ by the minute that can show nothing at some', async () => {
  for (const { number, rules } of minutelyFaults.filter(isTried)) {
    const { fault, byMinute } = await checkFault(number, []);
    const [steady = [], ...others] = byMinute.map((verdict) =>
      verdict
        .replace(/^exit \d: /, '')
        .split(', ')
        .filter((rule) => !rules.includes(rule)),
    );
    expect(others, number).toEqual(others.map(() => steady));
    expect(steady, number).toEqual(expect.arrayContaining([...fault.breaks]));
  }
});
