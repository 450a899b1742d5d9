import type { Play } from '../law/client-rule.ts';
import { epoch, type MadeExchange, makePlay } from './plays.ts';

/** The behavior of a good client and its service; times in milliseconds. */
export type GoodClient = {
  /** Concurrent tasks, each with a separate connection, pool and gap. */
  readonly tasks: number;
  readonly gap: number;
  /** Transit time of a request, and time until the answer. */
  readonly transit: number;
  readonly latency: number;
  readonly trouble: 'none' | '429' | '503 that tells' | '503';
  readonly began: number;
  readonly lasts: number;
  /** First wait of the backoff, which doubles every time, and an addition to every wait. */
  readonly base: number;
  readonly jitter: number;
  /** Requests left in the month at first, which ends 30 s after time 0; the client respects it. */
  readonly remaining: number;
};

const monthEnd = 30_000;
const until = 60_000;

/** Number of pools that a task alternates between, so that equal requests are far apart. */
const pools = 3;

type Task = { readonly at: number; next: number; round: number; failures: number };

/** Computes the play of such a client in a minute. */
export function goodPlay(client: GoodClient): Play {
  const { trouble, began, lasts, transit, latency } = client;
  const tasks = Array.from(
    { length: client.tasks },
    (_, at): Task => ({ at, next: at * 7, round: 0, failures: 0 }),
  );
  const made: MadeExchange[] = [];
  const gate = new Gate();
  let left = client.remaining;
  for (;;) {
    const task = tasks.reduce((first, task) => (task.next < first.next ? task : first));
    task.next = gate.after(task.next);
    if (tasks.some((other) => other !== task && other.next < task.next)) continue;
    const arrived = task.next + transit;
    if (arrived > until) break;
    const isTrouble = trouble !== 'none' && arrived >= began && arrived < began + lasts;
    const status = isTrouble ? Number(trouble.slice(0, 3)) : 200;
    if (arrived > monthEnd && left < 5000) left = 9000;
    if (status === 200) left = Math.max(0, left - 1);
    const ended = arrived + latency;
    const tells = isTrouble && trouble !== '503';
    const retryAfter = Math.ceil((began + lasts - arrived) / 1000);
    made.push({
      ...{ arrived, ended, status, remaining: left },
      reset: epoch + (arrived > monthEnd ? 90_000_000 : monthEnd),
      connection: task.at + 1,
      target: `/pools/conversionRates/latest/${task.at * pools + (task.round % pools)}?interval=HOUR`,
      ...(tells && { retryAfter }),
    });
    const heard = ended + transit;
    if (tells) gate.close(heard, heard + retryAfter * 1000 + client.jitter);
    if (left === 0) gate.close(heard, monthEnd + client.jitter + 1);
    goOn(task, client, heard, { isTrouble, tells });
  }
  return makePlay(made, {
    noOverage: true,
    ended: until,
    ...(trouble !== 'none' && { trouble: { began, ended: began + lasts, isAnnounced: trouble !== '503' } }),
  });
}

function goOn(
  task: Task,
  { base, jitter, gap }: GoodClient,
  heard: number,
  { isTrouble, tells }: { isTrouble: boolean; tells: boolean },
): void {
  if (!isTrouble) task.round += 1;
  task.failures = isTrouble ? task.failures + 1 : 0;
  if (tells) task.next = heard;
  else task.next = heard + (isTrouble ? base * 2 ** (task.failures - 1) + jitter : gap);
}

/** The times at which all tasks must wait. A task learns of one only from its answer. */
class Gate {
  readonly #closed: { readonly from: number; readonly to: number }[] = [];

  close(from: number, to: number): void {
    this.#closed.push({ from, to });
  }

  after(instant: number): number {
    let at = instant;
    for (;;) {
      const shut = this.#closed.find(({ from, to }) => at >= from && at < to);
      if (!shut) return at;
      at = shut.to;
    }
  }
}
