import type { Indicator } from '../results/probe-record.ts';
import type { EventRecord } from '../results/results-store.ts';
import { type Alert, type AlertPhase, activeTouches, type Due, type MessageKind } from './alert.ts';
import { type AlertFacts, isIndicator, type NoticeKind, type Severity, toJson, workMark } from './cause.ts';
import { type Describe, formatAlert, leadTouch, listTargets } from './words.ts';

/** The message to a sink; instants in ISO 8601. Every field is made by us or a name from the configuration. */
export type AlertMessage = AlertFacts & {
  /** The same for every copy, so that the receiver can drop a second one. */
  readonly id: string;
  /** The same for all messages of one alert, from `fired` to `resolved`. */
  readonly alert?: string;
  /** Rises with each message of an alert. */
  readonly number?: number;
  readonly kind: MessageKind | 'heartbeat' | 'test';
  /** The alert as it is as the message is sent. */
  readonly state?: AlertPhase;
  readonly at: string;
  readonly location: string;
  readonly text: string;
  /** The address of the monitors' page. */
  readonly link?: string;
  readonly target?: string;
  /** Name of a key's account, of an alert about one. */
  readonly account?: string;
  /** Name of a sink, of an alert about one. */
  readonly sink?: string;
  /** The indicator whose budget burns; absent for a notice. */
  readonly indicator?: Indicator;
  readonly notice?: NoticeKind;
  readonly severity?: Severity;
  readonly since?: string;
  /** All targets that the alert touches, if it is about several. */
  readonly touched?: readonly string[];
  /** For a heartbeat: the time until which each target was judged, and since when it is not. */
  readonly targets?: readonly {
    readonly target: string;
    readonly lastJudged?: string;
    readonly blindSince?: string;
  }[];
};

/** Returns an alert's message in words and facts, as it is at `now` (Unix ms). */
export function alertMessage({ alert, kind }: Due, describe: Describe, now: number): AlertMessage {
  const { id, location, since, severity, state, sent } = alert;
  const lead = leadTouch(alert, now);
  const { source = 'coverage', subject = { monitor: location } } = lead ?? {};
  const facts = lead && describe(lead)?.facts;
  const active = activeTouches(alert, now);
  const targets = listTargets(active.length > 0 ? active : Object.values(alert.touches));
  const fresh = Object.values(alert.touches).flatMap((touch) =>
    touch.source === 'correctness' && touch.marks ? (touch.fresh ?? []) : [],
  );
  return {
    id: `${id}/${kind}/${sent}`,
    alert: id,
    number: sent,
    ...{ kind, state },
    at: new Date(now).toISOString(),
    location,
    text: formatAlert(alert, kind, describe, now),
    ...('monitor' in subject ? {} : subject),
    ...(isIndicator(source) ? { indicator: source } : { notice: source }),
    severity,
    since: new Date(since).toISOString(),
    ...(lead?.incident !== undefined && { incident: lead.incident }),
    ...facts,
    ...(targets.length > 1 && { touched: targets }),
    ...(kind === 'changed' &&
      fresh.length > 0 && { rules: fresh.filter((mark) => !mark.startsWith(workMark)) }),
  };
}

/** Returns a message that waited as it is at `now`: in the words of the present, not of the time at which it was due. */
export function remake(
  message: AlertMessage,
  alert: Alert | undefined,
  describe: Describe,
  now: number,
): AlertMessage {
  if (!alert || message.kind === 'acknowledged') return message;
  const fresh = alertMessage({ alert, kind: message.kind as MessageKind, isFirstPage: false }, describe, now);
  const { id, number = fresh.number } = message;
  return {
    ...fresh,
    id,
    ...(number !== undefined && { number }),
    ...(message.rules && { rules: message.rules }),
  };
}

/** Returns the event that the store keeps of a message. */
export function messageEvent(
  { kind, target, text, at: _, touched, ...detail }: AlertMessage,
  now: number,
): EventRecord {
  const where = target === undefined ? {} : { target };
  const many = touched && { touched: touched.slice(0, mostTouched), touchedInAll: touched.length };
  return { at: now, kind: `alert-${kind}`, ...where, detail: toJson({ ...detail, ...many, words: text }) };
}

/** Targets that an event names; it counts them all. */
const mostTouched = 20;
