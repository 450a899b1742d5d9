import type { About, Severity } from './cause.ts';

export type AlertPhase = 'firing' | 'flapping' | 'resolved';
export type MessageKind = 'fired' | 'changed' | 'reminder' | 'resolved' | 'acknowledged';

/** A symptom of an alert. Times in Unix ms. */
export type Touch = About & {
  readonly severity: Severity;
  readonly family: string;
  /** The first bad request of its present or last outage, and the end of that; absent while it lasts. */
  readonly began: number;
  readonly end?: number;
  /** True while a new beginning is a relapse however late it comes. */
  readonly mayReturn?: boolean;
  readonly isShort?: boolean;
  /** True if it only follows from what the alert says without it. */
  readonly isSilent?: boolean;
  readonly marks?: readonly string[];
  /** The last that a message has said of it: that it began, or that it is over. */
  readonly named?: 'begun' | 'over';
  /** Marks that no message has named. */
  readonly fresh?: readonly string[];
  readonly incident?: string;
  /** Ms between reminders, if they do not follow the severity. */
  readonly every?: number;
  /** For an event without an end: how often since the last message, in all, its last words, and when it is forgotten. */
  readonly happened?: {
    readonly more: number;
    /** True if no message has its last words. */
    readonly isNew: boolean;
    readonly inAll: number;
    readonly words: string;
    readonly until: number;
  };
};

/** The last message, and the figures that the receiver knows by it. */
export type Said = {
  readonly at: number;
  readonly kind: MessageKind;
  readonly severity: Severity;
  readonly count: number;
  readonly outages: number;
};

/** One cause, with all that it touches, from its first message to its last; plain JSON. Times in Unix ms. */
export type Alert = {
  readonly id: string;
  readonly location: string;
  /** When it began to be seen; `moved`: ms by which the clock was set since. */
  readonly since: number;
  readonly moved?: number;
  readonly severity: Severity;
  readonly state: AlertPhase;
  readonly touches: Readonly<Record<string, Touch>>;
  readonly outages: {
    readonly number: number;
    /** The last beginnings, oldest first. */
    readonly starts: readonly number[];
    /** Ms of those that are over. */
    readonly longest: number;
    readonly total: number;
    /** When the first of all began, and the present one. */
    readonly first: number;
    readonly present?: number;
  };
  /** When the last outage ended; absent while one lasts. */
  readonly quiet?: number;
  readonly isWithdrawn?: boolean;
  /** True once it ended while it flapped: its end is counted from the last of many outages. */
  readonly hasFlapped?: boolean;
  readonly pending?: { readonly kind: MessageKind; readonly at: number };
  readonly firstSaid?: number;
  readonly lastChange?: number;
  readonly said?: Said;
  readonly sent: number;
  /** Reminders since the last other message. */
  readonly reminders: number;
  readonly isAcknowledged?: boolean;
  readonly acknowledgement?: string;
  /** True once the next sink got it, since nobody acknowledged it. */
  readonly isEscalated?: boolean;
};

export type Policy = {
  /** Ms to collect before a first message: none where there is nothing to collect. */
  readonly collect: number;
  readonly reminder: { readonly page: number; readonly ticket: number };
  /** Ms after which one that nobody took goes to the next sink. */
  readonly escalateAfter?: number | undefined;
};

/** A message that is due, of an alert as it is with it. */
export type Due = {
  readonly alert: Alert;
  readonly kind: MessageKind;
  readonly isFirstPage: boolean;
  readonly isEscalation?: boolean;
};

/** Ms for which what happened and has no end is remembered, at least. */
export const eventMs = 86_400_000;

/** Returns a new alert without a touch. */
export function openAlert(id: string, location: string, now: number): Alert {
  return {
    ...{ id, location, since: now, severity: 'ticket', state: 'firing', touches: {} },
    ...{ outages: { number: 0, starts: [], longest: 0, total: 0, first: now }, sent: 0, reminders: 0 },
  };
}

/** Lists what an alert touches now; of what has no end, all that is not forgotten. */
export function activeTouches({ touches }: Alert, now: number): Touch[] {
  return Object.values(touches).filter((touch) => isActive(touch, now));
}

/** Shifts all instants after the clock was set by some ms: an alert keeps its age and its name. */
export function shift(alert: Alert, by: number): Alert {
  const { outages, quiet, pending, firstSaid, lastChange, said } = alert;
  const touches = Object.entries(alert.touches).map(([key, touch]) => [
    key,
    {
      ...touch,
      began: touch.began + by,
      ...(touch.end !== undefined && { end: touch.end + by }),
      ...(touch.happened && { happened: { ...touch.happened, until: touch.happened.until + by } }),
    },
  ]);
  return {
    ...alert,
    moved: (alert.moved ?? 0) + by,
    touches: Object.fromEntries(touches),
    outages: {
      ...outages,
      starts: outages.starts.map((start) => start + by),
      first: outages.first + by,
      ...(outages.present !== undefined && { present: outages.present + by }),
    },
    ...(quiet !== undefined && { quiet: quiet + by }),
    ...(pending && { pending: { ...pending, at: pending.at + by } }),
    ...(firstSaid !== undefined && { firstSaid: firstSaid + by }),
    ...(lastChange !== undefined && { lastChange: lastChange + by }),
    ...(said && { said: { ...said, at: said.at + by } }),
  };
}

/** Returns whether receivers know that it is open. */
export function isReported({ said }: Alert): boolean {
  return said !== undefined && said.kind !== 'resolved';
}

/** Returns whether what it is about may come back as a relapse, however late, because a budget burns. */
export function isBurning({ touches }: Alert): boolean {
  return Object.values(touches).some(({ mayReturn }) => mayReturn);
}

/** Returns how often the most frequent of what happened did, in all. */
export function countHappened(touches: Alert['touches']): number {
  return Math.max(0, ...Object.values(touches).map(({ happened }) => happened?.inAll ?? 0));
}

function isActive({ end: at, happened }: Touch, now: number): boolean {
  return happened ? happened.until > now : at === undefined;
}
