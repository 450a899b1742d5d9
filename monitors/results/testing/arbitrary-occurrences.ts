import fc from 'fast-check';
import { indicators } from '../probe-record.ts';
import type { EventRecord, IncidentRecord, Json, QuotaRecord } from '../results-store.ts';
import { afterLastDay, anyFailure, compact, type EachField, firstDay, maybe } from './arbitrary-slots.ts';

const instant = fc.integer({ min: firstDay, max: afterLastDay - 1 });
const name = fc.string({ maxLength: 12 });

/** As it is read again: a number that is −0 is 0 then. */
const json: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)));

const detail = fc
  .array(fc.tuple(fc.constantFrom('n', 'of', 'text', 'changed'), json), { maxLength: 3 })
  .map((entries): EventRecord['detail'] => Object.fromEntries(entries));

const eventFields: EachField<EventRecord> = {
  at: instant,
  kind: name,
  target: maybe(name),
  key: maybe(name),
  detail,
};

const incidentFields: EachField<IncidentRecord> = {
  id: fc.uuid(),
  target: name,
  location: name,
  indicator: fc.constantFrom(...indicators),
  lastGood: maybe(instant),
  begin: instant,
  lastBad: instant,
  firstFailed: maybe(instant),
  lastFailed: maybe(instant),
  end: maybe(instant),
  slots: fc.nat(500),
  failures: fc.array(anyFailure, { maxLength: 3 }),
  broken: maybe(fc.array(name, { maxLength: 3 })),
  period: maybe(fc.nat(1e9)),
  unwatched: maybe(fc.nat(1e9)),
  unwatchedBefore: maybe(fc.nat(1e9)),
  evidence: maybe(json),
};

const quotaFields: EachField<QuotaRecord> = {
  key: name,
  at: instant,
  limit: fc.nat(20_000),
  remaining: fc.nat(20_000),
  additional: fc.nat(500),
  resetAt: instant,
};

/** The records that a store keeps beside its slots, with any of their fields. */
export const anyEvent = fc.record(eventFields).map((fields) => compact(fields) as EventRecord);
export const anyIncident = fc.record(incidentFields).map((fields) => compact(fields) as IncidentRecord);
export const anyQuota = fc.record(quotaFields);
