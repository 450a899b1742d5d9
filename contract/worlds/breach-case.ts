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

/** A run in a world that differs from the usual one in some choices, damaged in one exchange or as a whole. */
export type Setting = {
  /** The damage, as the words of a test name. */
  readonly what: string;
  readonly world?: Partial<World>;
} & (
  | { readonly at: string; readonly damage: Distort }
  | { readonly whole: (recorded: NamedRecording) => NamedRecording }
);

/** One way to break one rule, with the expected finding. */
export type BreachCase = Setting & {
  readonly rule: string;
  /** The finding's operation. */
  readonly operation: OperationId;
  /** Array positions are written `*`. */
  readonly pointer: string;
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
  /** The rule's outcome; passed where absent. */
  readonly outcome?: 'passed' | 'inconclusive' | 'unexercised';
  /** The rule's reason for leaving it open. */
  readonly reason?: string | RegExp;
  /** The number of answers that it judged. */
  readonly evidence?: number;
};

export const spec: Spec = loadSpec('openapi.yaml');

/** Undamaged answers of a run are read once for all cases. */
const findReadings = oncePer((_: TargetFacts) => new Readings());

/** Judges a recording. */
export function judgeIt({ recording }: { readonly recording: Recording }): Judged {
  const readings = findReadings(recording.target);
  return judge(spec, recording, { replay: (rule) => `again ${rule}`, readings });
}

const usual = record(usualWorld);

/** Returns the damaged run of a case. */
export function stage(setting: Setting): NamedRecording {
  const healthy = setting.world ? record({ ...usualWorld, ...setting.world }) : usual;
  return 'damage' in setting ? damaged(healthy, setting.at, setting.damage) : setting.whole(healthy);
}

/** Words findings in the fewest words. */
export function listFindings(findings: readonly Finding[]): string[] {
  return findings.map((each) => `${each.fingerprint}: ${each.actual} instead of ${each.expected}`);
}
