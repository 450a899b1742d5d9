import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { OperationId, Spec } from '@candleproof/document/spec/spec';
import { type Judged, judge } from '../judge/judge.ts';
import type { Finding } from '../judge/verdict.ts';
import type { Recording, TargetFacts } from '../reading/exchange.ts';
import { once, oncePer } from '../reading/once.ts';
import { Readings } from '../reading/reading.ts';
import type { Catalogue } from '../rules/catalogue.ts';
import { type Distort, damageExchange } from './damage.ts';
import { type NamedRecording, record } from './recorded.ts';
import { usualWorld, type World } from './world.ts';

/** A run in a world with some unusual choices: undamaged, or damaged in one exchange or as a whole. */
export type Setting = {
  /** The damage, as the words of a test name. */
  readonly what: string;
  readonly world?: Partial<World>;
  /** Another document of the same API, for rules that ours gives nothing to judge. */
  readonly document?: Spec;
} & (
  | { readonly at: string; readonly damage: Distort }
  | { readonly whole?: (recorded: NamedRecording) => NamedRecording }
);

/** One way to break one rule, with the expected finding. */
export type BreachCase = Setting & {
  readonly rule: string;
  /** The finding's operation; by default the damaged one, and the history for whole runs. */
  readonly operation?: OperationId;
  /** Array positions are written `*`; the whole answer by default. */
  readonly pointer?: string;
  readonly expected: string | RegExp;
  readonly actual: string | RegExp;
  readonly count?: number;
  /** Candles that a report draws for the first example, including the one at fault. */
  readonly drawn?: number;
  /** Answers of the other operations break the rule in the same way. */
  readonly everyOperation?: true;
  /** Other rules that inevitably report it too. */
  readonly also?: readonly string[];
};

/** Something close to a breach of a rule, which no rule may report. */
export type NearMiss = Setting & {
  readonly rule: string;
  /** The rule's outcome; passed by default. */
  readonly outcome?: 'passed' | 'inconclusive' | 'unexercised';
  /** The rule's reason for leaving it open. */
  readonly reason?: string | RegExp;
  /** The number of answers that it judged. */
  readonly evidence?: number;
};

export const spec: Spec = loadSpec('openapi.yaml');

/** Fields of other APIs, for which our document has no place. */
const tradingFields = `
        vwap: { x-role: vwap, type: number }
        quoteVolume: { x-role: quote-volume, type: string }
        trades: { x-role: trades, type: integer }
        closed: { x-role: closed, type: [boolean, integer, string] }
`;

/** Returns our document with these fields, and with pools that never rest. */
export const tradingSpec = once((): Spec => {
  const folder = mkdtempSync(join(tmpdir(), 'trading-'));
  const file = join(folder, 'openapi.yaml');
  const start = /\n {8}startTimestampSeconds:\n {10}x-role: start\n(?: {10}.*\n)+/;
  const text = readFileSync(spec.file, 'utf8').replace(
    'x-role: history',
    'x-role: history\n      x-fresh: 600',
  );
  writeFileSync(
    file,
    text.replace(start, (field) => field.trimEnd() + tradingFields),
  );
  try {
    return loadSpec(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Undamaged answers of a run are read once by each document, for all cases. */
const findReadings = oncePer((_: Spec) => oncePer((_: TargetFacts) => new Readings()));

/** Judges a recording by the document of its world, or by another one. */
export function judgeIt(
  { recording, world }: { readonly recording: Recording; readonly world?: Pick<World, 'trading'> },
  document?: Spec,
  catalogue?: Catalogue,
): Judged {
  const judgedBy = document ?? (world?.trading ? tradingSpec() : spec);
  return judge(judgedBy, recording, {
    replay: (rule) => `again ${rule}`,
    readings: findReadings(judgedBy)(recording.target),
    ...(catalogue && { catalogue }),
  });
}

const usual = record(usualWorld);

/** Returns the damaged run of a case. */
export function stage(setting: Setting): NamedRecording {
  const healthy = setting.world ? record({ ...usualWorld, ...setting.world }) : usual;
  if ('damage' in setting) return damageExchange(healthy, setting.at, setting.damage);
  return setting.whole?.(healthy) ?? healthy;
}

/** Words findings in the fewest words. */
export function listFindings(findings: readonly Finding[]): string[] {
  return findings.map(
    (finding) => `${finding.fingerprint}: ${finding.actual} instead of ${finding.expected}`,
  );
}

/** Returns a run's answers in this world, by question. */
export function observeAnswers(world: World): Map<string, string> {
  return new Map(
    judgeIt(record(world)).observations.map((observation) => [observation.id, observation.answer]),
  );
}

/** Returns the answer in the usual world with some choices changed. */
export function answerInWorld(id: string, choice: Partial<World> = {}): string | undefined {
  return findAnswer(id, record({ ...usualWorld, ...choice }));
}

/** Returns a recording's answer to a question. */
export function findAnswer(id: string, recorded: NamedRecording): string | undefined {
  return judgeIt(recorded).observations.find((observation) => observation.id === id)?.answer;
}

/** Loads every table of breaches from the files beside the rules. */
export async function loadBreachTables(): Promise<{ breaches: BreachCase[]; nearMisses: NearMiss[] }> {
  const law = new URL('../rules/', import.meta.url);
  const files = readdirSync(law, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.breaches.ts'))
    .sort();
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, law).href) as Promise<Record<string, unknown>>),
  );
  const named = (suffix: string): unknown[] =>
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, table]) => (name.endsWith(suffix) ? (table as unknown[]) : [])),
    );
  return { breaches: named('Breaches') as BreachCase[], nearMisses: named('NearMisses') as NearMiss[] };
}

/** Returns the first case of every rule: a small sample that covers all rules. */
export async function sampleBreaches(): Promise<BreachCase[]> {
  const { breaches } = await loadBreachTables();
  return [...Map.groupBy(breaches, (breach) => breach.rule).values()].flatMap((all) => all.slice(0, 1));
}
