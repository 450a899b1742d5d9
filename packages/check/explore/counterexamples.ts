import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Spec } from '@candleproof/document/spec/spec';
import { type NamedFile, requireWritable, writeNamedFile } from '@candleproof/files/named-file';
import { readNamedFile } from '@candleproof/files/read-file';
import { examine } from '@candleproof/law/judge/judge';
import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import { type Catalogue, catalogue } from '@candleproof/law/rules/catalogue';
import { readForm } from '../forms/form-file.ts';

/** A file that people keep; a larger one is a mistake. */
const mostBytes = 1 << 20;

const schemaFile = fileURLToPath(new URL('./counterexamples.schema.json', import.meta.url));

/** Reads the counterexamples of a file; none if there is no such file yet. Throws a UsageError. */
export function readCounterexamples(file: string): readonly Counterexample[] {
  requireWritable(nameFile(file));
  if (!existsSync(file)) return [];
  const text = readNamedFile(file, '--counterexamples', mostBytes);
  const { content } = readForm(text, file, '--counterexamples', schemaFile);
  return (content as { counterexamples: Counterexample[] }).counterexamples;
}

/** A file that holds something else is refused by its form when it is read. */
function nameFile(file: string): NamedFile {
  return { flag: '--counterexamples', file, mayReplace: true };
}

/** Writes a counterexample before those that the file has. Throws a UsageError. */
export function keepCounterexample(file: string, found: Counterexample): void {
  const others = readCounterexamples(file).filter(
    (counterexample) => counterexample.requests.join(' ') !== found.requests.join(' '),
  );
  const text = `${JSON.stringify({ counterexamples: [found, ...others] }, null, 2)}\n`;
  writeNamedFile(nameFile(file), text);
}

export type BatchLaw = {
  readonly spec: Spec;
  readonly catalogue?: Catalogue;
  /** A should that fails counts too. */
  readonly strict?: boolean;
};

/** Ids of the rules that a recording breaks. */
export function rulesBroken(
  recording: Recording,
  { spec, catalogue: law = catalogue, strict }: BatchLaw,
): string[] {
  const rules = law.rules.filter((rule) => rule.level === 'must' || strict === true);
  const { findings } = examine(spec, recording, { catalogue: { rules, questions: [] }, replay: () => '' });
  return [...new Set(findings.map((finding) => finding.rule))];
}

/**
 * Returns the fewest exchanges of a recording that break one of the rules that all of it breaks; sends nothing.
 * Undefined if none is broken, or only by something between the exchanges, as with counters.
 */
export function findSmallest(recording: Recording, law: BatchLaw): Counterexample | undefined {
  const shared = { ...recording, target: { ...recording.target, soleUser: false } };
  for (const rule of rulesBroken(recording, law)) {
    const rules = (law.catalogue ?? catalogue).rules.filter((candidate) => candidate.id === rule);
    const isBroken = (exchanges: readonly Exchange[]): boolean =>
      rulesBroken({ ...shared, exchanges }, { ...law, catalogue: { rules, questions: [] } }).length > 0;
    if (!isBroken(recording.exchanges)) continue;
    const { baseUrl } = recording.target;
    const requests = findMinimal(recording.exchanges, isBroken).map(({ request }) =>
      request.url.slice(baseUrl.length),
    );
    return { requests, rules: [rule] };
  }
  return undefined;
}

/** Returns a smallest list that still fails, by leaving out ever smaller pieces. */
export function findMinimal<Item>(
  items: readonly Item[],
  fails: (rest: readonly Item[]) => boolean,
): readonly Item[] {
  let rest = items;
  for (let size = rest.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < rest.length; ) {
      const less = rest.toSpliced(at, size);
      if (less.length > 0 && fails(less)) rest = less;
      else at += size;
    }
  }
  return rest;
}

/** Requests whose answers, taken together, break rules. */
export type Counterexample = {
  /** Paths and queries below the base URL, in the order of asking. */
  readonly requests: readonly string[];
  readonly rules: readonly string[];
  /** The seed and the fast-check path that generated it; absent for a known one. */
  readonly seed?: number;
  readonly path?: string;
};

/** A path that leads to no batch: it was cut, or belongs to another seed or other pools. */
export class UnknownPath extends Error {
  override readonly name = 'UnknownPath';
}
