import { type Logger, pino } from 'pino';
import { limitInWords } from '../../monitors/limit-words.ts';
import type { Series, SlotRecord } from '../../results/probe-record.ts';

/** A monitor's log on stderr, one JSON object a line: what is not well, and the first good slot after it. */
export class MonitorLog {
  readonly #logger: Logger = pino(
    { name: 'candleproof', level: process.env.LOG_LEVEL ?? 'info' },
    pino.destination({ dest: 2, sync: true }),
  );
  readonly #wasWell = new Map<string, boolean>();

  say(message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.#logger.info(facts, message);
  }

  warn(message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.#logger.warn(facts, message);
  }

  /** Slots that were settled together; those that nobody ran in one line, however many they are. */
  take(slots: readonly SlotRecord[]): void {
    for (const slot of slots) if (slot.state === 'run') this.#run(slot);
    const unrun = Map.groupBy(
      slots.filter(({ state }) => state !== 'run'),
      ({ state, series, reason }) => `${state} ${nameOf(series)} ${reason}`,
    );
    for (const alike of unrun.values()) this.#unrun(alike);
  }

  #run(slot: SlotRecord): void {
    const { outcome, state, series } = slot;
    const isWell = outcome === 'ok' || outcome === 'excluded';
    const isNews = this.#wasWell.get(nameOf(series)) !== isWell;
    this.#wasWell.set(nameOf(series), isWell);
    this.#logger[isWell ? (isNews ? 'info' : 'debug') : 'warn'](factsOf(slot), outcome ?? state);
  }

  #unrun(alike: readonly SlotRecord[]): void {
    const [first, last] = [alike[0], alike.at(-1)];
    if (!first || !last) return;
    const more = first === last ? {} : { slots: alike.length, until: instant(last.scheduledAt) };
    this.#logger.warn({ ...factsOf(first), ...more }, first.state);
  }
}

function factsOf(slot: SlotRecord) {
  const { series, scheduledAt, startedAt, finishedAt, outcome, failure, rules, samples } = slot;
  const { secondFailure, degradedBy } = slot;
  const reason = slot.reason ?? (outcome === 'limited' ? limitInWords(samples) : undefined);
  return {
    target: series.target,
    probe: series.probe,
    slot: instant(scheduledAt),
    ...(startedAt !== undefined && finishedAt !== undefined && { tookMs: finishedAt - startedAt }),
    ...(failure && { failure }),
    ...(secondFailure && { secondFailure }),
    ...(rules.length > 0 && { rules }),
    ...(degradedBy && { degradedBy }),
    ...(reason !== undefined && { reason }),
  };
}

function nameOf({ target, probe }: Series): string {
  return `${target}/${probe}`;
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
