import type { ReasonNotPassed } from '@candleproof/proxy/forwarding/limits';
import type { ProxyCounts } from '@candleproof/proxy/forwarding/proxy';
import type { OpenFinding } from '@candleproof/proxy/judging/open-findings';
import type { SeenTraffic } from '@candleproof/proxy/judging/streaming-judge';
import { MonitorLog } from '../monitoring/monitor-log.ts';

/** The proxy's log on stderr: a finding when it is new, and whenever its count has one more digit. */
export class TrafficLog {
  readonly #log = new MonitorLog();
  readonly #target: string;

  constructor(target: string) {
    this.#target = target;
  }

  say(message: string): void {
    this.#log.say(message, { target: this.#target });
  }

  find({ finding, count, firstSeen, lastSeen }: OpenFinding, before: number): void {
    if (!isNews(count, before)) return;
    const { rule, level, operation, pointer, expected, actual } = finding;
    this.#log.warn(before === 0 ? 'finding' : 'finding goes on', {
      target: this.#target,
      ...{ rule, level, operation, pointer, count, expected, actual, firstSeen, lastSeen },
    });
  }

  /** Something was refused or dropped in place of being passed on. */
  refuse(reason: ReasonNotPassed, count: number): void {
    if (isNews(count, count - 1)) this.#log.warn('not passed', { target: this.#target, reason, count });
  }

  /** Warns that a minute was not judged, because the judge was not running or stopped in it; traffic goes on. */
  loseMinute(begin: number): void {
    this.#log.warn('minute not judged', { target: this.#target, minute: new Date(begin).toISOString() });
  }

  /** Warns that counters are no longer booked; traffic goes on. */
  lose(reason: string): void {
    this.#log.warn('ledger not kept', { target: this.#target, reason });
  }

  /** Warns if reports cannot be written now: a later attempt may succeed, and traffic continues. */
  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn('the reports were not written', { target: this.#target, reason });
    }
  }

  end(
    { counts: { seen, judged, unjudged, restarts, minutesLost }, findings }: SeenTraffic,
    proxy: ProxyCounts | undefined,
    page: string,
  ): void {
    const notPassed = Object.fromEntries(proxy?.notPassed ?? []);
    this.#log.say('stopped', {
      ...{ target: this.#target, seen, judged, unjudged: Object.fromEntries(unjudged) },
      ...(Object.keys(notPassed).length > 0 && { notPassed }),
      ...(restarts > 0 && { judgeRestarts: restarts, minutesNotJudged: minutesLost }),
      ...{ findings: findings.all.length, report: page },
    });
  }
}

/** Returns whether a count is the first, or has one more digit. */
function isNews(count: number, before: number): boolean {
  return before === 0 || String(count).length > String(before).length;
}
