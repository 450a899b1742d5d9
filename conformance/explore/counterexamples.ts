import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNamedFile } from '../../files/named-output.ts';
import { readNamedFile } from '../../files/read-file.ts';
import { readForm } from '../forms/form-file.ts';
import type { Counterexample } from './smallest.ts';

/** A file that people keep; a larger one is a mistake. */
const mostBytes = 1 << 20;

const schemaFile = fileURLToPath(new URL('./counterexamples.schema.json', import.meta.url));

/** Reads the counterexamples of a file; none where there is no such file yet. Throws a UsageError. */
export function readCounterexamples(file: string): readonly Counterexample[] {
  if (!existsSync(file)) return [];
  const text = readNamedFile(file, '--counterexamples', mostBytes);
  const { content } = readForm(text, file, '--counterexamples', schemaFile);
  return (content as { counterexamples: Counterexample[] }).counterexamples;
}

/** Writes a counterexample before those that the file has. Throws a UsageError. */
export function keepCounterexample(
  file: string,
  known: readonly Counterexample[],
  found: Counterexample,
): void {
  const others = known.filter(
    (counterexample) => counterexample.requests.join(' ') !== found.requests.join(' '),
  );
  const text = `${JSON.stringify({ counterexamples: [found, ...others] }, null, 2)}\n`;
  writeNamedFile('--counterexamples', resolve(file), text);
}
