import { loadSpec } from '@candleproof/document/spec/load-spec';
import { applyBaseline } from '@candleproof/law/judge/baseline';
import { updateBaseline } from '@candleproof/law/judge/baseline-update';
import type { Judged } from '@candleproof/law/judge/judge';
import type { Fault } from '@candleproof/reference-service/faults/fault';
import { FAULTS, makeDistortion } from '@candleproof/reference-service/faults/registry';
import { expect, test } from '@playwright/test';
import { day, nothingKnown } from 'candleproof/kill-matrix/stage';
import { ClockedService } from './testing/clocked-service.ts';
import { latencies, minutelyFaults, minutes, systematicFaults } from './testing/systematic-faults.ts';

const spec = loadSpec('openapi.yaml');

const [first = Number.NaN] = minutes;

/** The checks of one fault, from the earliest minute on; those of other latencies are of the first. */
type Checks = { readonly fault: Fault; readonly byMinute: Judged[]; readonly byLatency: Judged[] };

const exits = { conformant: 0, nonconformant: 1, inconclusive: 3 } as const;

let checked: Promise<ReadonlyMap<string, Checks>> | undefined;

/** Checks each fault once at each minute, and with slower answers. */
async function checkFaults(): Promise<ReadonlyMap<string, Checks>> {
  const service = new ClockedService(spec, first, {}, 18);
  const wanted = [...systematicFaults, ...minutelyFaults.map(([number]) => number)];
  const all = wanted.map((number) => {
    const fault = FAULTS.find((one) => one.number === number);
    if (!fault) throw new Error(`there is no fault ${number}`);
    return { fault, byMinute: [], byLatency: [] } as Checks;
  });
  const judge = async ({ fault }: Checks, at: number, latency?: number): Promise<Judged> =>
    (await service.check({ at, distortions: [makeDistortion({ fault })], ...(latency && { latency }) }))
      .judged;
  for (const at of minutes) {
    for (const checks of all) checks.byMinute.push(await judge(checks, at));
    for (const checks of at === first ? all.slice(0, systematicFaults.length) : [])
      for (const latency of latencies.slice(1)) checks.byLatency.push(await judge(checks, at, latency));
  }
  return new Map(all.map((checks) => [checks.fault.number, checks]));
}

async function takeChecks(numbers: readonly string[]): Promise<readonly Checks[]> {
  checked ??= checkFaults();
  const known = await checked;
  return numbers.flatMap((number) => known.get(number) ?? []);
}

/** Formats what must be the same for the same build. */
function formatVerdict({ verdict, findings }: Judged): string {
  const rules = new Set(findings.map(({ rule }) => rule));
  return `exit ${exits[verdict]}: ${[...rules].sort().join(', ')}`;
}

/** Formats the verdict by a baseline and what of the baseline is news, which is nothing but the exit code if it holds. */
function formatKnown({ verdict, baseline, findings }: Judged): string {
  const gone = (baseline?.known ?? []).filter(({ status }) => status === 'surprised');
  const unknown = findings.filter(({ level, known }) => level === 'must' && !known);
  return [
    `exit ${exits[verdict]}`,
    ...gone.map(({ fingerprint }) => `gone: ${fingerprint}`),
    ...unknown.flatMap(({ places = [] }) => places.map(({ failing }) => `new: ${failing}`)),
  ].join('; ');
}

test.beforeEach(() => {
  test.setTimeout(120_000 + minutes.length * 60_000);
});

test(`${systematicFaults.length} systematic faults get one verdict for the same rules at every minute`, async () => {
  expect(new Set(systematicFaults).size).toBe(40);
  for (const { fault, byMinute } of await takeChecks(systematicFaults)) {
    const seen = byMinute.map(formatVerdict);
    expect(seen, fault.number).toEqual(minutes.map(() => seen[0]));
    expect(seen[0], fault.number).toContain(fault.breaks[0]);
  }
});

test('slow answers change neither the verdict nor the rules of a systematic fault', async () => {
  for (const { fault, byMinute, byLatency } of await takeChecks(systematicFaults)) {
    const [swift] = byMinute.map(formatVerdict);
    expect(byLatency.map(formatVerdict), fault.number).toEqual(latencies.slice(1).map(() => swift));
  }
});

test('a baseline written from a systematic fault holds at every minute, and nothing of it is gone', async () => {
  for (const { fault, byMinute } of await takeChecks(systematicFaults)) {
    const writers = process.env.CANDLEPROOF_THOROUGH ? byMinute : byMinute.slice(0, 1);
    for (const writer of writers) {
      const measured = applyBaseline(writer, nothingKnown, day);
      const { baseline } = updateBaseline(measured, nothingKnown, day);
      const later = byMinute.map((judged) => applyBaseline(judged, baseline, day));
      expect(later.map(formatKnown), fault.number).toEqual(minutes.map(() => 'exit 0'));
      const changed = later.flatMap(({ observations }) =>
        observations.filter((observation) => observation.changed).map(({ id }) => id),
      );
      expect(changed, fault.number).toEqual([]);
    }
  }
});

test('faults of which a rule shows something at some minutes only are found at every minute', async () => {
  for (const { fault, byMinute } of await takeChecks(minutelyFaults.map(([number]) => number)))
    for (const { findings } of byMinute)
      expect(
        findings.map(({ rule }) => rule),
        fault.number,
      ).toEqual(expect.arrayContaining([...fault.breaks]));
});
