import { loadSpec } from '../document/load-spec.ts';
import type { OperationId, Spec } from '../document/spec.ts';
import { type Judged, judge } from '../judge/judge.ts';
import type { Finding } from '../judge/verdict.ts';
import type { Recording, TargetFacts } from '../reading/exchange.ts';
import { oncePer } from '../reading/once.ts';
import { Readings } from '../reading/readings.ts';
import type { Distort } from './damage.ts';
import { damaged } from './damage.ts';
import { type NamedRecording, record } from './recorded.ts';
import { usualWorld, type World } from './world.ts';

/** A run in a world that differs from the usual one in these choices, damaged in one exchange or as a whole. */
export type Setting = {
  /** What is wrong, or nearly so, as the words of a test name. */
  readonly what: string;
  readonly world?: Partial<World>;
} & (
  | { readonly at: string; readonly damage: Distort }
  | { readonly whole: (recorded: NamedRecording) => NamedRecording }
);

/** One way of breaking one rule, with what has to be found. */
export type BreachCase = Setting & {
  readonly rule: string;
  /** The operation's, with array positions as `*`. */
  readonly operation: OperationId;
  readonly pointer: string;
  readonly expected: string | RegExp;
  readonly actual: string | RegExp;
  readonly count?: number;
  /** Candles that a report draws of the first example, the one at fault among them. */
  readonly drawn?: number;
  /** Answers of the other operations break it in the same way. */
  readonly everyOperation?: true;
  /** Other rules that cannot help but see it too. */
  readonly also?: readonly string[];
};

/** Something close to a breach of a rule, of which no rule may say anything. */
export type NearMiss = Setting & {
  readonly rule: string;
  /** What becomes of the rule; it passes where nothing is said. */
  readonly outcome?: 'passed' | 'inconclusive' | 'unexercised';
  /** What the rule left open, in its words. */
  readonly reason?: string | RegExp;
  /** How many answers it has judged. */
  readonly evidence?: number;
};

export const spec: Spec = loadSpec('openapi.yaml');

/** What is undamaged of a run is read once for all cases. */
const readingsOf = oncePer((_: TargetFacts) => new Readings());

export function judgeIt({ recording }: { readonly recording: Recording }): Judged {
  const readings = readingsOf(recording.target);
  return judge(spec, recording, { replay: (rule) => `again ${rule}`, readings });
}

const usual = record(usualWorld);

/** The damaged run of a case. */
export function stage(setting: Setting): NamedRecording {
  const healthy = setting.world ? record({ ...usualWorld, ...setting.world }) : usual;
  return 'damage' in setting ? damaged(healthy, setting.at, setting.damage) : setting.whole(healthy);
}

/** What findings say, in the fewest words. */
export function findingsIn(findings: readonly Finding[]): string[] {
  return findings.map((each) => `${each.fingerprint}: ${each.actual} instead of ${each.expected}`);
}
