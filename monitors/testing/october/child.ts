import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StationOrder } from '../child-monitor.ts';
import type { MonitorAnswer, MonitorCommand } from '../clocked-child.ts';

const itself = fileURLToPath(new URL('./monitor.ts', import.meta.url));

/** A monitor of the simulated month, to be given the time, stopped and killed. */
export class MonitorChild {
  readonly #process: ChildProcess;
  /** Unix ms of its next slot. */
  next: number;

  private constructor(child: ChildProcess, next: number) {
    this.#process = child;
    this.next = next;
  }

  /** @param program of a monitor that obeys the same commands */
  static async start(order: StationOrder, program = itself): Promise<MonitorChild> {
    const file = join(order.dataDir, '..', `${basename(order.dataDir)}-order.json`);
    writeFileSync(file, JSON.stringify(order));
    const child = fork(program, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const answer = await awaitAnswer(child);
    const opened = new MonitorChild(child, 0);
    opened.#noteAnswer(answer);
    return opened;
  }

  async tick(now: number): Promise<void> {
    this.#noteAnswer(await this.#send({ do: 'tick', now }));
  }

  async stop(now: number): Promise<void> {
    await this.#send({ do: 'stop', now });
    await once(this.#process, 'exit');
  }

  /** Lets it send what is due, and kills it before it hears the answer. */
  async killInFlight(now: number): Promise<void> {
    await this.#send({ do: 'hang', now });
    await this.kill();
  }

  async kill(): Promise<void> {
    if (this.#process.kill('SIGKILL')) await once(this.#process, 'exit');
  }

  #noteAnswer(answer: MonitorAnswer): void {
    if (!('next' in answer)) return;
    // JSON has no Infinity.
    this.next = answer.next ?? Number.POSITIVE_INFINITY;
  }

  #send(command: MonitorCommand): Promise<MonitorAnswer> {
    const answer = awaitAnswer(this.#process);
    this.#process.send(command);
    return answer;
  }
}

function awaitAnswer(child: ChildProcess): Promise<MonitorAnswer> {
  return new Promise((resolve, reject) => {
    const rejectEnded = (code: number | null): void =>
      reject(new Error(`the monitor ended by itself (${code})`));
    child.once('exit', rejectEnded);
    child.once('message', (message: MonitorAnswer) => {
      child.off('exit', rejectEnded);
      resolve(message);
    });
  });
}
