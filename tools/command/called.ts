import { type Ended, environment } from '@candleproof/testing/environment';
import { main } from 'candleproof/cli/main';
import { commandStart } from 'candleproof/cli/running/stopping';
import { muteExperimentalWarnings } from 'candleproof/cli/runtime.js';

// As the command does for itself in a separate process.
muteExperimentalWarnings();

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command in this process, since starting Node would take longest. Calls run one after the other: each takes
 * the streams and the environment of the process for itself.
 */
export function called(args: readonly string[], changes: Record<string, string> = {}): Promise<Ended> {
  const call = last.then(() => callAlone(args, changes));
  last = call.catch(() => undefined);
  return call;
}

async function callAlone(args: readonly string[], changes: Record<string, string>): Promise<Ended> {
  const before = process.env;
  const [stdout, stderr] = [captureStream(process.stdout), captureStream(process.stderr)];
  process.env = environment(changes);
  performance.clearMarks(commandStart);
  performance.mark(commandStart);
  try {
    const code = await main(args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.env = before;
    stdout.giveBack();
    stderr.giveBack();
  }
}

/** Takes everything that is written to a stream from now on; `giveBack` also removes the listeners that were added since. */
function captureStream(stream: NodeJS.WriteStream): { readonly text: () => string; giveBack(): void } {
  const { write } = stream;
  const before = new Map(stream.eventNames().map((event) => [event, stream.rawListeners(event)]));
  let text = '';
  stream.write = (piece: string | Uint8Array) => {
    text += Buffer.from(piece).toString();
    return true;
  };
  return {
    text: () => text,
    giveBack: () => {
      stream.write = write;
      for (const event of stream.eventNames())
        for (const listener of stream.rawListeners(event))
          if (!before.get(event)?.includes(listener)) stream.removeListener(event, listener as () => void);
    },
  };
}
