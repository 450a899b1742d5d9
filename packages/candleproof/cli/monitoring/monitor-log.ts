import { formatLimit, type ProbeSeries, type SlotRecord } from '@candleproof/monitors/results/probe-record';
import { makeVisible } from '@candleproof/reports/words/escape';
import { type Logger, pino } from 'pino';

/**
 * A monitor's log on stderr: what is not well, and the first good slot after it. On a terminal in lines for people, in a
 * pipe one JSON object a line.
 */
export class MonitorLog {
  readonly #logger: Logger = pino(
    { name: 'candleproof', level: process.env.LOG_LEVEL ?? 'info' },
    pino.destination({ dest: 2, sync: true }),
  );
  readonly #wasWell = new Map<string, boolean>();

  say(message: string, facts: LogFacts): void {
    this.#write('info', message, facts);
  }

  warn(message: string, facts: LogFacts): void {
    this.#write('warn', message, facts);
  }

  #write(level: 'debug' | 'info' | 'warn', message: string, facts: LogFacts): void {
    if (!process.stderr.isTTY) this.#logger[level](facts, message);
    else if (this.#logger.isLevelEnabled(level))
      process.stderr.write(logLine(Date.now(), level, message, facts));
  }

  /** Slots that were settled together; those that no one ran in one line, however many they are. */
  take(slots: readonly SlotRecord[]): void {
    for (const slot of slots) if (slot.state === 'run') this.#run(slot);
    const unrun = Map.groupBy(
      slots.filter(({ state }) => state !== 'run'),
      ({ state, series, reason }) => `${state} ${seriesName(series)} ${reason}`,
    );
    for (const alike of unrun.values()) this.#unrun(alike);
  }

  #run(slot: SlotRecord): void {
    const { outcome, state, series } = slot;
    const isWell = outcome === 'ok' || outcome === 'excluded';
    const isNews = this.#wasWell.get(seriesName(series)) !== isWell;
    this.#wasWell.set(seriesName(series), isWell);
    this.#write(isWell ? (isNews ? 'info' : 'debug') : 'warn', outcome ?? state, slotFacts(slot));
  }

  #unrun(alike: readonly SlotRecord[]): void {
    const [first, last] = [alike[0], alike.at(-1)];
    if (!first || !last) return;
    const more = first === last ? {} : { slots: alike.length, until: instant(last.scheduledAt) };
    this.#write('warn', first.state, { ...slotFacts(first), ...more });
  }
}

function slotFacts(slot: SlotRecord) {
  const { series, scheduledAt, startedAt, finishedAt, outcome, failure, rules, samples } = slot;
  const { secondFailure, degradedBy } = slot;
  const reason = slot.reason ?? (outcome === 'limited' ? formatLimit(samples) : undefined);
  return {
    target: series.target,
    probe: series.probe,
    slot: instant(scheduledAt),
    ...(startedAt !== undefined && finishedAt !== undefined && { tookMs: finishedAt - startedAt }),
    failure,
    secondFailure,
    ...(rules.length > 0 && { rules }),
    degradedBy,
    reason,
  };
}

function seriesName({ target, probe }: ProbeSeries): string {
  return `${target}/${probe}`;
}

function instant(at: number): string {
  return new Date(at).toISOString();
}

export type LogFacts = Readonly<Record<string, unknown>>;
/** Returns one log line for people: time in UTC, event, target and probe, and further facts. `at` is in Unix ms. */
export function logLine(at: number, level: string, message: string, facts: LogFacts): string {
  const { target, probe, slot: _planned, ...rest } = facts;
  const where = [target, probe].filter((part) => part !== undefined).join('/');
  const known = Object.entries(rest).map(([name, value]) => `${name} ${formatValue(value)}`);
  const parts = [level === 'warn' ? `! ${message}` : `  ${message}`, where, known.join(', ')];
  const time = new Date(at).toISOString().slice(11, 19);
  return `${time}Z ${makeVisible(parts.filter((part) => part !== '').join('  '))}\n`;
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(' ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(formatValue).join(' ');
  return String(value);
}
