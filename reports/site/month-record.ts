import type { GoodBad } from '../../results/hour-record.ts';
import type { Indicator, ProbeFailure, ProbeOutcome } from '../../results/probe-record.ts';
import type { IncidentRecord } from '../../results/results-store.ts';

/** The measurements of a UTC day, over all probes of the target. */
export type DayRecord = {
  /** `2026-11-20`. */
  readonly day: string;
  /** Slots that were due, and of them those that ran. */
  readonly due: number;
  readonly ran: number;
  /** Slots that traffic of others covered; absent where there were none. */
  readonly covered?: number;
  readonly outcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  readonly indicators: Readonly<Partial<Record<Indicator, GoodBad>>>;
  /** Availability by the first look alone; absent where no count was kept. */
  readonly firstLook?: GoodBad;
};

/** The two looks at the slot that began an incident; absent where the slot is kept no longer. */
export type Looks = { readonly probe: string; readonly first?: ProbeFailure; readonly second?: ProbeFailure };

export type MonthIncident = Omit<IncidentRecord, 'evidence' | 'broken' | 'period'> & {
  readonly looks?: Looks;
};

/** One UTC month of a target as one location's probes saw it: month.json of the site. */
export type MonthRecord = {
  readonly target: string;
  readonly slug: string;
  /** `2026-11`. */
  readonly month: string;
  readonly location: string;
  /** Unix ms: the end of the month, or of what had been measured of it. */
  readonly to: number;
  readonly isOver: boolean;
  readonly objectives: readonly {
    readonly indicator: Indicator;
    readonly objective: number;
    readonly under?: number | undefined;
  }[];
  /** Musts that the light probes judge, and musts in all; absent if none had judged anything. */
  readonly musts?: { readonly judged: number; readonly of: number };
  readonly days: readonly DayRecord[];
  readonly incidents: readonly MonthIncident[];
};

/** An indicator in words: of correctness never more than what was judged. */
export function indicatorInWords({ musts }: Pick<MonthRecord, 'musts'>, indicator: Indicator): string {
  if (indicator !== 'correctness') return indicator;
  return `no breach of the ${musts ? `${musts.judged} of ${musts.of} ` : ''}musts that its light probes judge`;
}

/** Returns the path of a month's page. */
export function monthPath({ slug, month }: Pick<MonthRecord, 'slug' | 'month'>): string {
  return `monitor/${slug}/${month}/`;
}

/** Good and bad of an indicator over days. */
export function sumIndicator(days: readonly DayRecord[], indicator: Indicator): GoodBad {
  return days.reduce(
    (sum, { indicators: { [indicator]: counts } }) => ({
      good: sum.good + (counts?.good ?? 0),
      bad: sum.bad + (counts?.bad ?? 0),
    }),
    { good: 0, bad: 0 },
  );
}
