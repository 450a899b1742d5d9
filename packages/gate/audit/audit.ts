import {
  type Booking,
  maxBodiesOfRun,
  retryPause,
  type SendingOptions,
  withClient,
} from '@candleproof/check/target/client';
import type { Target } from '@candleproof/check/target/target';
import { listPools, requireOperation, spacePrefix } from '@candleproof/document/spec/operation';
import { rungSeconds } from '@candleproof/document/spec/roles';
import type { PoolId, Spec } from '@candleproof/document/spec/spec';
import { UsageError } from '@candleproof/files/usage-error';
import { type Judged, judge } from '@candleproof/law/judge/judge';
import type { Recording } from '@candleproof/law/reading/exchange';
import { type Catalogue, catalogue } from '@candleproof/law/rules/catalogue';
import type { Tolerable } from '../gated.ts';
import { listBreaches } from './breaches.ts';
import { type Cause, groupCauses, nameCauses } from './causes.ts';
import { type Damage, explainsValues, type Mark, mergeMarks, selectRangeLaw } from './damage.ts';
import { findFlatLines } from './flat-lines.ts';
import { findGaps } from './gaps.ts';
import type { AuditPart, AuditRange } from './part.ts';
import { findSuspicions } from './pool-suspicions.ts';
import { findRollUpBreaks, findUndecidedDays } from './roll-ups.ts';
import { countUsable, type PastTable, readTables, type Usable } from './row-states.ts';
import { type Sweep, type SweepOptions, sweep } from './sweep.ts';
import { type AuditVerdict, listFailing, reachVerdict } from './verdict.ts';

export type AuditOptions = SweepOptions & {
  /** The law of whose rules those of ranges are taken. */
  readonly catalogue?: Catalogue;
  /** Kinds of suspicions that may be beyond chance; if omitted, none fails. */
  readonly tolerated?: readonly Tolerable[] | undefined;
};

/** The damage found in a past, and the requests that it took. */
export type Audit = {
  readonly verdict: AuditVerdict;
  /** The kinds of suspicions beyond chance that nothing tolerates, as a table names them. */
  readonly failing: readonly string[];
  /** Reasons of the damage, the gravest first. */
  readonly causes: readonly Cause[];
  /** For each pool and interval, the shortest first. */
  readonly usable: readonly Usable[];
  readonly target: { readonly name: string; readonly baseUrl: string };
  readonly range: AuditRange;
  readonly pools: readonly PoolId[];
  readonly requests: { readonly sent: number; readonly budget: number };
  /** Closed candles that were looked at. */
  readonly candles: number;
  readonly damage: readonly Damage[];
  /** Ranges that the target did not give as a whole, as `pool 1 HOUR`. */
  readonly divided: readonly string[];
  /** Why nothing more was requested. */
  readonly trouble?: string;
};

export type Audited = {
  readonly audit: Audit;
  readonly recording: Recording;
  /** The past as one table for each pool and interval. */
  readonly tables: readonly PastTable[];
};

/** Sweeps the history (§4.2) of a target's pools and lists the damage in it. */
export async function runAudit(options: AuditOptions): Promise<Audited> {
  const swept = await sweep(options);
  const { spec, target, range, budget } = options;
  const law = selectRangeLaw(options.catalogue ?? catalogue);
  const first = judgeRanges(law, spec, swept.recording);
  const open = findUndecidedDays(first, findRowMarks(swept, first, options));
  const recording =
    open.length === 0 ? swept.recording : await swept.more(open.map((mark) => partInMinutes(spec, mark)));
  const judged = open.length === 0 ? first : judgeRanges(law, spec, recording);
  const found = mergeMarks(target.name, findMarks(swept, judged, options), spec.rungs);
  const damage = nameCauses(found, judged);
  const tables = readTables(judged.evidence, damage, range);
  const candles = judged.evidence.timelines().reduce((total, { candles }) => total + candles.length, 0);
  const failing = listFailing(damage, options.tolerated);
  const audit: Audit = {
    ...{ verdict: reachVerdict(damage, failing, candles), failing },
    causes: groupCauses(damage, tables),
    usable: tables.map(countUsable),
    target: { name: target.name, baseUrl: target.baseUrl },
    range,
    pools: listPools(target, requireOperation(spec, 'history')),
    requests: { sent: recording.exchanges.length, budget },
    ...{ candles, damage },
    divided: swept.divided.map(({ pool, interval }) => `pool ${pool} ${spec.rungs[interval]?.name}`),
    trouble: swept.trouble,
  };
  return { audit, recording, tables };
}

/** The shortest intervals of a day, one more on both sides: each of them lies inside. */
function partInMinutes({ rungs }: Spec, { pool, from, to }: Pick<Mark, 'pool' | 'from' | 'to'>): AuditPart {
  const length = rungSeconds(rungs, 'minutes');
  return { pool, interval: 'minutes', depth: 0, from: from - length, to: to + length };
}

/** Finds all damage within the swept range; the shortest intervals only decide. */
function findMarks(swept: Sweep, judged: Judged, options: Pick<AuditOptions, 'range' | 'now'>): Mark[] {
  const found = findRowMarks(swept, judged, options);
  const broken = [...found, ...findRollUpBreaks(judged, found)];
  const { range } = options;
  const isMeant = ({ from, to, interval }: Mark): boolean =>
    interval !== 'minutes' && from < range.to && to > range.from;
  return [...broken, ...suspicions(judged, broken)].filter(isMeant).map((mark) => clipMark(mark, range));
}

function findRowMarks(
  { undivided }: Sweep,
  judged: Judged,
  { range, now }: Pick<AuditOptions, 'range' | 'now'>,
): Mark[] {
  return [...listBreaches(judged), ...findGaps(undivided, judged.evidence, range, now)];
}

/** Clips a mark of a whole answer to the range; single rows keep their interval. */
function clipMark(mark: Mark, { from, to }: AuditRange): Mark {
  if (mark.kind !== 'unreadable') return mark;
  return { ...mark, from: Math.max(mark.from, from), to: Math.min(mark.to, to) };
}

function judgeRanges(law: Catalogue, spec: Spec, recording: Recording): Judged {
  return judge(spec, recording, { catalogue: law, replay: () => '', mostBreaches: Number.POSITIVE_INFINITY });
}

/** Finds suspicious candles, apart from rows that are known to be wrong. */
function suspicions({ evidence }: Judged, broken: readonly Mark[]): Mark[] {
  return evidence.timelines().flatMap(({ candles, answers: [answer], length }) => {
    if (!answer) return [];
    const { pool, rung: interval } = answer.requested;
    if (interval === undefined) return [];
    const known = broken
      .filter(explainsValues)
      .filter((mark) => mark.pool === pool && mark.interval === interval);
    const isKnown = (mark: Pick<Mark, 'from' | 'to'>): boolean =>
      known.some(({ from, to }) => from < mark.to && to > mark.from);
    const marks: Omit<Mark, 'pool' | 'interval'>[] = [
      ...findFlatLines(candles, interval, length).map(({ candle: { start }, detail }) => ({
        ...{ from: start, to: start + length, kind: 'flat' as const, detail },
      })),
      ...findSuspicions(candles, length),
    ];
    return marks.flatMap((mark) => (isKnown(mark) ? [] : [{ pool, interval, ...mark }]));
  });
}

/** Requests for each pool's three intervals, and the extra ones for a target that gives an interval in parts. */
const usualBudget = { perPool: 3, more: 18 };

export type AuditPlan = { readonly pools: readonly PoolId[]; readonly budget: number };

/**
 * Plans an audit of the given pools, or of all that have a history.
 * @throws UsageError if there is none
 */
export function planAudit(
  { facts, spec }: Target,
  given: { readonly pools?: readonly PoolId[] | undefined; readonly budget?: number | undefined },
): AuditPlan {
  const history = requireOperation(spec, 'history');
  const pools = given.pools ?? listPools(facts, history);
  if (pools.length === 0) {
    throw new UsageError(
      `no ${spacePrefix(spec, history.space)}pool to audit: name some with --pool; only they have a history (§4.2)`,
    );
  }
  return { pools, budget: given.budget ?? usualBudget.perPool * pools.length + usualBudget.more };
}

/** The choices of one audit; `now` in Unix seconds. */
export type AuditChoices = Pick<SendingOptions, 'rate' | 'timeout' | 'maxBody'> &
  Booking &
  Pick<AuditOptions, 'range' | 'now' | 'stop' | 'onProgress' | 'tolerated'> & {
    readonly law: Catalogue;
  };
/** Sweeps the past of the planned pools of a target and lists the damaged ranges. */
export function auditTarget(
  target: Target,
  { pools, budget }: AuditPlan,
  { law, range, now, stop, onProgress, tolerated, ...sending }: AuditChoices,
): Promise<Audited> {
  const { facts, spec, apiKey } = target;
  const { space } = requireOperation(spec, 'history');
  const client = { ...sending, budget, mostBodies: maxBodiesOfRun + pools.length };
  return withClient(target, client, (client) =>
    runAudit({
      spec,
      target: { ...facts, pools: { ...facts.pools, [space]: pools } },
      client,
      hasKey: apiKey !== undefined,
      ...{ range, now, budget, stop, tolerated, catalogue: law },
      pauseMs: retryPause(target),
      onProgress,
    }),
  );
}
