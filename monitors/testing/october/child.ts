import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StationOrder } from '../child-station.ts';
import type { MonitorAnswer, MonitorCommand } from './monitor.ts';

const program = fileURLToPath(new URL('./monitor.ts', import.meta.url));

/** A monitor of the simulated month, to be given the time, stopped and killed. */
export class MonitorChild {
  readonly #process: ChildProcess;
  /** Unix ms of its next slot. */
  next: number;

  private constructor(child: ChildProcess, next: number) {
    this.#process = child;
    this.next = next;
  }

  static async start(order: StationOrder): Promise<MonitorChild> {
    const file = join(order.dataDir, '..', 'order.json');
    writeFileSync(file, JSON.stringify(order));
    const child = fork(program, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const answer = await answerOf(child);
    return new MonitorChild(child, answer.did === 'open' ? answer.next : 0);
  }

  async tick(now: number): Promise<void> {
    const answer = await this.#tell({ do: 'tick', now });
    if (answer.did === 'tick') this.next = answer.next;
  }

  async stop(now: number): Promise<void> {
    await this.#tell({ do: 'stop', now });
    await once(this.#process, 'exit');
  }

  /** Lets it send what is due, and kills it before it hears the answer. */
  async killInFlight(now: number): Promise<void> {
    await this.#tell({ do: 'hang', now });
    this.kill();
    await once(this.#process, 'exit');
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  #tell(command: MonitorCommand): Promise<MonitorAnswer> {
    const answer = answerOf(this.#process);
    this.#process.send(command);
    return answer;
  }
}

function answerOf(child: ChildProcess): Promise<MonitorAnswer> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the monitor ended by itself (${code})`));
    child.once('exit', ended);
    child.once('message', (message: MonitorAnswer) => {
      child.off('exit', ended);
      resolve(message);
    });
  });
}
