import {
  appendFileSync,
  closeSync,
  createReadStream,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Redactor, redactorFor } from '../../http/secrets/redaction.ts';
import type { LoadSample } from '../load-run.ts';

/** Bytes on the disk for the samples of one load; further ones are not judged. */
const mostBytes = 1024 * 1024 * 1024;

/** The sampled answers of a load with the key taken out, in a private file until the load has ended. */
export class Samples {
  readonly #clean: Redactor;
  readonly #folder = mkdtempSync(join(tmpdir(), 'candleproof-samples-'));
  readonly #file = join(this.#folder, 'samples');
  readonly #descriptor = openSync(this.#file, 'wx', 0o600);
  readonly #remove = (): void => rmSync(this.#folder, { recursive: true, force: true });
  #bytes = 0;

  constructor(apiKey: string | undefined) {
    this.#clean = redactorFor(apiKey === undefined ? [] : [{ credential: 'api-key', text: apiKey }]);
    process.once('exit', this.#remove);
  }

  add({ index, exchange }: LoadSample): void {
    if (this.#bytes > mostBytes) return;
    const sample: LoadSample = { index, exchange: this.#clean(exchange) };
    const line = Buffer.from(`${JSON.stringify(sample)}\n`);
    try {
      appendFileSync(this.#descriptor, line);
      this.#bytes += line.length;
    } catch {
      // The disk is full; the samples before are whole.
      ftruncateSync(this.#descriptor, this.#bytes);
      this.#bytes = Number.POSITIVE_INFINITY;
    }
  }

  /** Reads the samples one by one. */
  async *read(): AsyncGenerator<LoadSample> {
    for await (const line of createInterface({ input: createReadStream(this.#file) }))
      yield JSON.parse(line) as LoadSample;
  }

  /** Removes the file. */
  close(): void {
    closeSync(this.#descriptor);
    this.#remove();
    process.off('exit', this.#remove);
  }
}
