import type { EventRecord } from '../../results/results-store.ts';
import type { Definition, Sink } from '../plan/definition.ts';
import { formatMoment } from '../slots/time-watch.ts';
import { type AlertMessage, messageEvent } from './message.ts';
import { noticeMessage, type OpenNotice } from './notice.ts';
import { type SendOptions, send as usualSend } from './send.ts';

/** Ms for which the disk must be full before an alert is sent. */
const patience = 30_000;

/** Between two tries of a sink, in ms. */
const pause = 30_000;

/** Spans of a full disk that are remembered: a slot is settled soon after it was due. */
const mostSpans = 20;

type AlarmDelivery = { readonly sink: Sink; readonly message: AlertMessage };

/** Called with the time at which the disk became full, and with undefined when it has room again. */
type Listener = (since: number | undefined) => void;

/**
 * Says that the results store's disk is full while it is. Its messages are kept in memory and go straight to the sinks:
 * no outbox could hold them.
 */
export class DiskAlarm {
  readonly #location: string;
  readonly #sinks: readonly Sink[];
  readonly #send: typeof usualSend;
  #spans: readonly { readonly from: number; readonly to: number }[] = [];
  #since: number | undefined;
  #fired: OpenNotice | undefined;
  #letters: readonly AlarmDelivery[] = [];
  #events: readonly EventRecord[] = [];
  #tried = Number.NEGATIVE_INFINITY;
  #isSending = false;
  #listener: Listener = () => undefined;

  constructor({ location, alerting }: Pick<Definition, 'location' | 'alerting'>, send = usualSend) {
    this.#location = location;
    this.#sinks = alerting.sinks;
    this.#send = send;
  }

  onChange(listener: Listener): void {
    this.#listener = listener;
  }

  /** The store takes nothing from `now` (Unix ms) on. */
  onFull(now: number): void {
    this.#since = now;
    this.#listener(now);
  }

  onRoom(now: number): void {
    if (this.#since === undefined) return;
    const span = { from: this.#since, to: now };
    this.#spans = [...this.#spans, span].slice(-mostSpans);
    this.#since = undefined;
    const detail = { location: this.#location, words: describeOutage(span) };
    this.#events = [...this.#events, { at: now, kind: 'disk-full', detail }];
    if (this.#fired) this.#reportChange(this.#fired, 'cleared', now);
    this.#fired = undefined;
    this.#listener(undefined);
  }

  /** Returns why a slot (Unix ms) could not run; undefined if the disk had room. */
  explainMiss(slot: number): string | undefined {
    const span = this.#spans.findLast(({ from, to }) => slot >= from && slot <= to);
    if (span) return describeOutage(span);
    return this.#since !== undefined && slot >= this.#since
      ? `the disk is full since ${formatMoment(this.#since)}`
      : undefined;
  }

  /** Returns the events to write once there is room. */
  takeEvents(): readonly EventRecord[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Must be called every second, even while writes wait for the disk. Never rejects. */
  async tick(options: SendOptions): Promise<void> {
    const { now } = options;
    const since = this.#since;
    if (since !== undefined && !this.#fired && now - since >= patience) {
      const words = `its disk is full since ${formatMoment(since)}: it writes nothing, and looks at no target`;
      const standing = { location: this.#location, severity: 'page', words, reminders: 0 } as const;
      const subject = { monitor: this.#location };
      this.#fired = { notice: 'disk', subject, since, reported: now, ...standing };
      this.#reportChange(this.#fired, 'fired', now);
      this.#tried = Number.NEGATIVE_INFINITY;
    }
    if (this.#letters.length === 0 || this.#isSending || now - this.#tried < pause) return;
    this.#tried = now;
    this.#isSending = true;
    const letters = this.#letters;
    const refused = await Promise.all(
      letters.map(async (letter) =>
        (await this.#send(letter.sink, letter.message, options)) ? [letter] : [],
      ),
    );
    this.#letters = [...refused.flat(), ...this.#letters.filter((letter) => !letters.includes(letter))];
    this.#isSending = false;
  }

  #reportChange(noticed: OpenNotice, change: 'fired' | 'cleared', now: number): void {
    const message = noticeMessage(noticed, change, now);
    this.#letters = [...this.#letters, ...this.#sinks.map((sink) => ({ sink, message }))];
    this.#events = [...this.#events, messageEvent(message, now)];
    if (change === 'cleared') this.#tried = Number.NEGATIVE_INFINITY;
  }
}

function describeOutage({ from, to }: { readonly from: number; readonly to: number }): string {
  return `the disk was full from ${formatMoment(from)} to ${formatMoment(to)}`;
}
