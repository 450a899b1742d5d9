import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CrashAnswer, CrashCommand, CrashOrder } from './monitor.ts';

const program = fileURLToPath(new URL('./monitor.ts', import.meta.url));

/** A monitor that may be killed at any time: every call then rejects with Killed. */
export class CrashChild {
  readonly #process: ChildProcess;
  readonly #gone: Promise<unknown>;
  #isKilled = false;

  constructor(order: CrashOrder) {
    const file = join(order.dataDir, '..', 'order.json');
    writeFileSync(file, JSON.stringify(order));
    this.#process = fork(program, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#gone = once(this.#process, 'exit');
  }

  /** Resolves to the next slot once the monitor is open. */
  async awaitOpened(): Promise<number> {
    return (await this.#answer()).next;
  }

  /** Resolves to the next slot. */
  async tick(now: number): Promise<number> {
    return (await this.#send({ do: 'tick', now })).next;
  }

  async stop(now: number): Promise<void> {
    await this.#send({ do: 'stop', now });
    await this.#gone;
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    this.#process.kill('SIGKILL');
    await this.#gone;
  }

  #send(command: CrashCommand): Promise<CrashAnswer> {
    const answer = this.#answer();
    this.#process.send(command, () => undefined);
    return answer;
  }

  async #answer(): Promise<CrashAnswer> {
    const ended = new AbortController();
    const end = { signal: ended.signal };
    const message = once(this.#process, 'message', end).then(([answer]) => answer as CrashAnswer);
    const exit = this.#gone.then(() => undefined);
    const answer = await Promise.race([message, exit]);
    message.catch(() => undefined);
    ended.abort();
    if (answer) return answer;
    throw this.#isKilled ? new Killed() : new Error('the monitor ended by itself');
  }
}

/** Ends the play of a process that was killed. */
export class Killed extends Error {}
