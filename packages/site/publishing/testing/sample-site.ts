import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, Outcome, Run } from '@candleproof/law/judge/verdict';
import { sampleRun as sampleLoad } from '@candleproof/load/testing/runs';
import { openForWriting } from '@candleproof/monitors/results/open-source';
import { recordMany } from '@candleproof/monitors/results/testing/many-slots';
import { hostile } from '@candleproof/reports/testing/hostile';
import { sampleMatrix } from '@candleproof/reports/testing/sample-matrix';
import { cleanRun, inconclusiveRun, sampleRun } from '@candleproof/reports/testing/sample-run';

/** Returns a run of a target on a day of November 2026, with changes. */
export function sampleRunOn(
  target: string,
  day: number,
  changes: Partial<Run> = {},
  of: Run = cleanRun,
): Run {
  const date = `2026-11-${String(day).padStart(2, '0')}`;
  return {
    ...of,
    target: { ...of.target, name: target },
    startedAt: `${date}T03:17:00.000Z`,
    finishedAt: `${date}T03:17:12.000Z`,
    ...changes,
  };
}

/** Returns the run with one rule broken, and the matching finding. */
export function broken(run: Run, rule: string): Run {
  const found = sampleRun.findings.filter((finding) => finding.rule === rule);
  return {
    ...run,
    verdict: 'nonconformant',
    rules: run.rules.map((ruleResult) =>
      ruleResult.id === rule ? { ...ruleResult, outcome: 'failed' satisfies Outcome } : ruleResult,
    ),
    findings: found.map(({ known: _, ...example }): Finding => example),
  };
}

/** Writes a run as a check does, with a recording of these entries, and returns its folder. */
export function writeRun(folder: string, run: Run, entries: readonly object[] = sampleEntries): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run, null, 2));
  writeFileSync(
    join(folder, 'exchanges.har'),
    JSON.stringify({ log: { entries, _candleproof: { seed: 1 } } }),
  );
  return folder;
}

export const sampleEntries: readonly object[] = Array.from({ length: 16 }, (_, index) => ({
  startedDateTime: '2026-11-02T03:17:01.000Z',
  time: 12.4,
  request: {
    method: 'GET',
    url: `https://api.testnet.example/dex/tokens?n=${index}`,
    headers: [{ name: 'x-api-key', value: '[api-key]' }],
  },
  response: {
    status: 200,
    statusText: 'OK',
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content: { text: `[{"exchange":${index}}]` },
  },
  _candleproof: {},
}));

const average = 'candle/average-is-within-range';

/**
 * Returns runs of two targets with everything that a site distinguishes: findings, a mended rule, other rules, another spec,
 * no verdict.
 */
export function sampleRuns(): readonly Run[] {
  const { candleproof, specSha256 } = cleanRun.versions;
  const newer = { versions: { candleproof, specSha256, catalogue: '000000000002' } };
  const other = { versions: { candleproof, specSha256: 'ab'.repeat(32), catalogue: '000000000002' } };
  return [
    sampleRunOn('main', 1),
    broken(sampleRunOn('main', 2), average),
    sampleRunOn('main', 3, newer),
    sampleRunOn('main', 4, newer, inconclusiveRun),
    broken(sampleRunOn('main', 5, other), average),
    sampleRunOn(sampleRun.target.name, 2, {}, sampleRun),
    sampleRunOn(sampleRun.target.name, 3, { seed: 7 }, sampleRun),
  ];
}

/** Writes everything that can be published below a folder, and returns the paths to publish. */
export async function writeSample(folder: string): Promise<string[]> {
  const runs = sampleRuns().map((run, index) => writeRun(join(folder, `run-${index}`), run));
  const files = { 'kill-matrix.json': sampleMatrix(30), 'load.json': sampleLoad({ dropped: 7 }) };
  const others = Object.entries(files).map(([name, value]) => {
    mkdirSync(join(folder, name.replace('.json', '')), { recursive: true });
    const file = join(folder, name.replace('.json', ''), name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  });
  const data = join(folder, 'data');
  const store = await openForWriting({ kind: 'folder', folder: data });
  await recordMany(store, { begin: Date.UTC(2026, 9, 25), days: 20, period: 3_600_000 });
  await store.close();
  return [...runs, ...others, data];
}

const constrained = new Set([
  ...[
    'verdict',
    'startedAt',
    'finishedAt',
    'specSha256',
    'catalogue',
    'section',
    'level',
    'outcome',
    'operation',
    'operations',
  ],
  ...['unit', 'until', 'status'],
]);

export const evilText = Object.values(hostile).join(' ');

/**
 * Returns the value with hostile text in every free-text field, repeated `times` times in the first field of each
 * name: 100 kB of the usual text, or a megabyte in a thorough run.
 */
export function poisoned<Value>(
  value: Value,
  text = evilText,
  times = process.env.CANDLEPROOF_THOROUGH ? 2800 : 280,
): Value {
  const large = new Set<string>();
  const poison = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      if (constrained.has(name)) return value;
      const isFirst = !large.has(name);
      large.add(name);
      return `${text}${value}${isFirst ? text.repeat(times) : ''}`;
    }
    if (Array.isArray(value)) return constrained.has(name) ? value : value.map((item) => poison(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, poison(item, key)]));
  };
  return poison(value, '') as Value;
}
