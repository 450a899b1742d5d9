import { type Catalogue, catalogue } from '../../contract/catalogue.ts';
import type { Recording } from '../../contract/exchange.ts';
import { type Judged, judge } from '../../contract/judge.ts';
import type { Spec } from '../../contract/spec.ts';
import { breachesIn } from './breaches.ts';
import { type Damage, damageOf, type Mark } from './damage.ts';
import { flatLinesIn } from './flat-lines.ts';
import { gapsIn } from './gaps.ts';
import { explainsValues, lawOfRanges } from './law.ts';
import type { AuditRange } from './part.ts';
import { rollupBreaksIn } from './rollups.ts';
import { spikesIn } from './spikes.ts';
import { type Sweep, type SweepOptions, sweep } from './sweep.ts';

export type AuditOptions = SweepOptions & {
  /** The law of whose rules those of ranges are taken. */
  readonly catalogue?: Catalogue;
};

/** What is wrong with a past, and what was asked for to see it. */
export type Audit = {
  readonly target: { readonly name: string; readonly baseUrl: string };
  readonly range: AuditRange;
  readonly pools: readonly number[];
  readonly requests: { readonly sent: number; readonly budget: number };
  /** Closed candles that were looked at. */
  readonly candles: number;
  readonly damage: readonly Damage[];
  /** Ranges that the target did not give as a whole, as `pool 1 HOUR`. */
  readonly divided: readonly string[];
  /** Why nothing more was asked. */
  readonly trouble?: string;
};

export type Audited = { readonly audit: Audit; readonly recording: Recording };

/** Sweeps the past of a target's V2 pools (§4.2) and lists what is damaged in it. */
export async function runAudit(options: AuditOptions): Promise<Audited> {
  const swept = await sweep(options);
  const { spec, target, range, budget } = options;
  const law = lawOfRanges(options.catalogue ?? catalogue);
  const judged = judgeBy(law, spec, swept.recording);
  const marks = marksIn(swept, judged, options, () =>
    judgeBy(law, spec, withoutDays(swept.recording, judged)),
  );
  const audit: Audit = {
    target: { name: target.name, baseUrl: target.baseUrl },
    range,
    pools: target.poolsV2,
    requests: { sent: swept.recording.exchanges.length, budget },
    candles: judged.evidence.timelines().reduce((total, { candles }) => total + candles.length, 0),
    damage: damageOf(target.name, marks),
    divided: swept.divided.map(({ poolId, interval }) => `pool ${poolId} ${interval}`),
    ...(swept.trouble !== undefined && { trouble: swept.trouble }),
  };
  return { audit, recording: swept.recording };
}

/** All that is found in what a sweep told, within the range that was to be swept. */
function marksIn(
  { leaves }: Sweep,
  judged: Judged,
  { range, now }: Pick<AuditOptions, 'range' | 'now'>,
  withoutDays: () => Judged,
): Mark[] {
  const found = [...breachesIn(judged), ...gapsIn(leaves, judged.evidence, range, now)];
  const broken = [...found, ...rollupBreaksIn({ whole: judged, withoutDays }, found)];
  const inRange = ({ from, to }: Mark): boolean => from < range.to && to > range.from;
  return [...broken, ...suspicions(judged, broken)].filter(inRange).map((each) => clipped(each, range));
}

/** An answer as a whole was asked for more widely than it is spoken of; single rows keep their interval. */
function clipped(mark: Mark, { from, to }: AuditRange): Mark {
  if (mark.kind !== 'unreadable') return mark;
  return { ...mark, from: Math.max(mark.from, from), to: Math.min(mark.to, to) };
}

function judgeBy(law: Catalogue, spec: Spec, recording: Recording): Judged {
  return judge(spec, recording, { catalogue: law, replay: () => '', mostBreaches: Number.POSITIVE_INFINITY });
}

function withoutDays(recording: Recording, { evidence }: Judged): Recording {
  const kept = evidence.answers.filter(({ asked }) => asked?.interval !== 'DAY');
  return { ...recording, exchanges: kept.map(({ exchange }) => exchange) };
}

/** What is known to be wrong is not suspected besides. */
function suspicions({ evidence }: Judged, broken: readonly Mark[]): Mark[] {
  return evidence.timelines().flatMap(({ candles, answers: [answer], length }) => {
    if (!answer) return [];
    const { poolId, interval } = answer.asked;
    const known = broken
      .filter(explainsValues)
      .filter((each) => each.poolId === poolId && each.interval === interval);
    const isKnown = (start: number): boolean =>
      known.some(({ from, to }) => from < start + length && to > start);
    const found = [
      ...spikesIn(candles).map((each) => ({ ...each, kind: 'spike' as const })),
      ...flatLinesIn(candles, interval, length).map((each) => ({ ...each, kind: 'flat' as const })),
    ];
    return found.flatMap(({ candle: { start }, kind, detail }) =>
      isKnown(start) ? [] : [{ poolId, interval, from: start, to: start + length, kind, detail }],
    );
  });
}
