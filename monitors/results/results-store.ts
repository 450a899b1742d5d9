import type { PoolId } from '@candleproof/document/spec/spec';
import type { HourRecord } from './hour-record.ts';
import type { Indicator, ProbeFailure, ProbeSeries, SlotRecord } from './probe-record.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Something that happened, in Unix ms: of a ledger, an alert or the monitor, or a restatement. */
export type EventRecord = {
  readonly at: number;
  readonly kind: string;
  readonly target?: string;
  /** Name of the key whose counters showed it. */
  readonly key?: string;
  readonly detail: { readonly [name: string]: Json };
};

/**
 * A time in which an indicator of a target was bad without a good slot in between; open as long as `end` is absent. It
 * ends with its last bad slot if no probe ran for two periods after that, since the state then is unknown.
 */
export type IncidentRecord = {
  readonly id: string;
  readonly target: string;
  readonly location: string;
  readonly indicator: Indicator;
  /** Planned instants, Unix ms: the last good slot before, the first and the last bad one; and the first good answer after. */
  readonly lastGood?: number;
  readonly begin: number;
  readonly lastBad: number;
  readonly end?: number;
  /**
   * Times (Unix ms) at which the first and the last failed request were sent; between them the target was certainly
   * bad. A slot that overlapped a hanging run sent none.
   */
  readonly firstFailed?: number;
  readonly lastFailed?: number;
  readonly slots: number;
  readonly failures: readonly ProbeFailure[];
  /** While it is open: the probes, as `probe/operation`, that were bad in it and have not been good since. */
  readonly broken?: readonly string[];
  /** While it is open: ms between two slots of the most frequent of them. */
  readonly period?: number;
  /** Ms without a probe run after its last bad slot, or before its first. */
  readonly unwatched?: number;
  readonly unwatchedBefore?: number;
  /** The first failing exchange, without keys and cut to size. */
  readonly evidence?: Json;
};

/** A key's counters as the newest answer of an hour reported them. */
export type QuotaRecord = {
  readonly key: string;
  readonly at: number;
  readonly limit: number;
  readonly remaining: number;
  readonly additional: number;
  readonly resetAt: number;
};

/** A closed candle as it was first seen; one that changes later is restated. */
export type PinRecord = {
  readonly target: string;
  readonly pool: PoolId;
  readonly interval: string;
  /** Unix seconds. */
  readonly start: number;
  /** Unix ms when it was first and last observed. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Its fields as the text that was served. */
  readonly fields: Readonly<Record<string, string>>;
};

/** A message on its way to a sink; its id lets the receiver drop a second copy. */
export type DeliveryRecord = {
  readonly id: string;
  readonly sink: string;
  readonly dueAt: number;
  readonly attempts: number;
  readonly message: Json;
  /** Number of the claim under which it is sent, if several locations share the store. */
  readonly claim?: number;
};

/** Written as a whole or not at all. */
export type RecordBatch = {
  /** Replaces slots that exist, so that an overlap can take the outcome of the run before it. */
  readonly slots?: readonly SlotRecord[];
  readonly events?: readonly EventRecord[];
  /** By id, the newer in place of the older. */
  readonly incidents?: readonly IncidentRecord[];
  readonly quotas?: readonly QuotaRecord[];
  /** By target, pool, interval and start, the newer in place of the older. */
  readonly pins?: readonly PinRecord[];
  /** Targets whose pins are dropped before those of this batch are written. */
  readonly unpinned?: readonly string[];
  readonly deliveries?: readonly DeliveryRecord[];
  /** New times and tries of messages that are still in the outbox; one that is not there stays away. */
  readonly postponed?: readonly DeliveryRecord[];
  readonly delivered?: readonly string[];
  /** Whatever has to outlive a restart, by name; null forgets one. */
  readonly states?: Readonly<Record<string, Json>>;
};

/** Times in Unix ms, ranges without their end. */
export type Span = { readonly from: number; readonly to: number };

export type SeriesExtent = Span & {
  readonly series: ProbeSeries;
  /** Planned instant of the newest slot in which the target was probed, Unix ms. */
  readonly lastRun?: number;
};

/** The size of a store on its disk, in bytes, and its daily growth at the present rate. */
export type StoreSize = {
  readonly bytes: number;
  /** Freed bytes that will be used again. */
  readonly freeBytes: number;
  /** The oldest planned instant whose slot is still kept whole, Unix ms. */
  readonly firstSlot?: number;
  readonly series: number;
  /** Slots a day over the last week that was watched. */
  readonly slotsPerDay: number;
  readonly requestsPerDay: number;
};

/** The store that monitors write and reports read; several readers may read while one monitor writes. */
export type ResultsStore = {
  /** Once it resolves the batch outlives a killed process and a power cut. */
  record(batch: RecordBatch): Promise<void>;
  /**
   * Takes what another store reported, all of it or nothing: a slot with an outcome is not replaced by its announcement,
   * nor an incident that ended by its beginning.
   */
  merge(batches: AsyncIterable<RecordBatch>): Promise<void>;
  series(): Promise<readonly ProbeSeries[]>;
  /** In the order of their planned instants. */
  slots(span: Span, of?: Partial<ProbeSeries>): Promise<readonly SlotRecord[]>;
  /**
   * Slots rolled up by hour, the running one included; `days` by UTC day, over any time that was ever watched. Those
   * that the span touches, in order; with `of` only those of some series, which takes no time of the others.
   */
  hours(span: Span, of?: Partial<ProbeSeries>): Promise<readonly HourRecord[]>;
  days(span: Span, of?: Partial<ProbeSeries>): Promise<readonly HourRecord[]>;
  events(span: Span, kinds?: readonly string[]): Promise<readonly EventRecord[]>;
  /** Those that touch the span, the open ones included; with `target` those of one target. */
  incidents(span: Span, target?: string): Promise<readonly IncidentRecord[]>;
  openIncidents(): Promise<readonly IncidentRecord[]>;
  quotas(span: Span): Promise<readonly QuotaRecord[]>;
  pins(target: string, pool: PoolId, interval: string, starts: Span): Promise<readonly PinRecord[]>;
  dueDeliveries(now: number): Promise<readonly DeliveryRecord[]>;
  /**
   * Takes a due message for this sender alone, before it is sent; undefined if another one has it, or it is sent.
   * Absent if a store has one sender.
   */
  readonly claimDelivery?: (due: DeliveryRecord) => Promise<DeliveryRecord | undefined>;
  state(name: string): Promise<Json | undefined>;
  size(): Promise<StoreSize>;
  /** First and last planned instant of all, and of each series; the last is `to` itself. */
  extent(): Promise<Span | undefined>;
  extents(of?: Partial<ProbeSeries>): Promise<readonly SeriesExtent[]>;
  /** Rolls up closed hours and deletes expired records. */
  tidy(now: number): Promise<void>;
  close(): Promise<void>;
};

/** A store that is only looked at. */
export type ResultsReader = Omit<ResultsStore, 'record' | 'merge' | 'tidy' | 'claimDelivery'>;

/** Days for which slots are kept whole, and hours, events, quotas; days and incidents are never forgotten. */
export type Retention = { readonly keepRawDays: number; readonly keepHoursDays: number };

/** Slots for a year and a month, so that a month can be compared with the year before; hours for five years. */
export const usualRetention: Retention = { keepRawDays: 400, keepHoursDays: 5 * 366 };
