import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process that records without end. */
export type RecordingProcess = {
  readonly pid: number;
  /** The newest number that it printed, once it has printed at least one that is not below `least`. */
  awaitConfirmed(least?: number): Promise<number>;
  /** Gone when it resolves, without having been requested. */
  kill(): Promise<void>;
};

/** Begins at a number. */
export function startRecording(folder: string, from = 0): RecordingProcess {
  const file = new URL('./endless-recording.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [file, folder, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said = (said + part).slice(-40);
  });
  const readNewest = (): number => Number(said.split('\n').at(-2) ?? -1);
  return {
    pid: child.pid ?? 0,
    async awaitConfirmed(least = from) {
      while (readNewest() < least && isAlive(child)) await new Promise((resolve) => setTimeout(resolve, 5));
      return readNewest();
    },
    async kill() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
