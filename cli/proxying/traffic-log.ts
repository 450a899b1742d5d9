import type { StandingFinding } from '../../traffic/judging/standing-findings.ts';
import type { SeenTraffic } from '../../traffic/judging/streaming-judge.ts';
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

  find({ finding, count, firstSeen, lastSeen }: StandingFinding, before: number): void {
    if (String(count).length === String(before).length && before > 0) return;
    const { rule, level, operation, pointer, expected, actual } = finding;
    this.#log.warn(before === 0 ? 'finding' : 'finding goes on', {
      target: this.#target,
      ...{ rule, level, operation, pointer, count, expected, actual, firstSeen, lastSeen },
    });
  }

  /** What passed is not kept there; traffic goes on. */
  lose(part: string, reason: string): void {
    this.#log.warn(`${part} not kept`, { target: this.#target, reason });
  }

  /** What cannot be written now may be at the end; traffic goes on. */
  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn('the reports were not written', { target: this.#target, reason });
    }
  }

  end({ counts: { seen, judged, unjudged, restarts }, findings }: SeenTraffic, page: string): void {
    this.#log.say('stopped', {
      ...{ target: this.#target, seen, judged, unjudged: Object.fromEntries(unjudged) },
      ...(restarts > 0 && { judgeRestarts: restarts }),
      ...{ findings: findings.all.length, report: page },
    });
  }
}
