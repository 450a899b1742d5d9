import type { Exchange, Recording, TargetFacts } from '@candleproof/law/reading/exchange';
import { type KnownTexts, withoutSecrets } from '../secrets/recorded-secrets.ts';
import { freezeDeep } from '../send/frozen.ts';
import { KeptBodies } from '../send/kept-bodies.ts';
import { EntryReader, jsonError } from './entry-reader.ts';
import type { Attached } from './foreign-entry.ts';
import { holdBytes, readChunks } from './har-bytes.ts';
import { harEntry } from './har-entry.ts';
import { type HarError, HarNode } from './har-node.ts';
import { readTargetFacts } from './har-of-ours.ts';
import { findJsonFault } from './json-fault.ts';
import { type RestOfRecording, splitEntries } from './split-entries.ts';

/** Largest recording, in bytes; callers refuse a larger file before they read it. */
export const LARGEST_HAR_BYTES = 256 * 1024 * 1024;

/** Memory for the bodies of all recordings that are judged together, as KeptBodies estimates it. */
const maxKeptBytes = 128 * 1024 * 1024;

/** Memory for the exchanges themselves, however large the bodies are: some four thousand. */
const mostHeadBytes = 24 * 1024 * 1024;

/** Makes the bound of recordings that are judged together. */
export function boundRecordedBodies(): KeptBodies {
  return new KeptBodies(maxKeptBytes, mostHeadBytes);
}

export type ReadRecording = {
  readonly exchanges: readonly Exchange[];
  /** The reason for each skipped entry. */
  readonly skipped: readonly string[];
  /** Only our own recordings contain the target and the seed. */
  readonly target?: TargetFacts;
  readonly seed?: number;
};

/**
 * Writes a recording as HAR 1.2; facts without a place in HAR go into `_candleproof` members. Yields the text entry by
 * entry, so that the memory does not hold all bodies twice more.
 */
export function* toHar({ target, seed, exchanges }: Recording, creatorVersion: string): Generator<string> {
  const creator = JSON.stringify({ name: 'Candleproof', version: creatorVersion });
  yield `{"log":{"version":"1.2","creator":${creator},"entries":[`;
  for (const [index, exchange] of exchanges.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(harEntry(exchange))}`;
  }
  yield `],"_candleproof":${JSON.stringify({ target, seed })}}}`;
}

/** Says how to read a recording. */
export type HarReading = KnownTexts & {
  /** Bodies that the recording keeps in separate files. */
  readonly attached?: Attached;
  /** Bounds the bodies of several recordings together; by default, those of this one. */
  readonly bodies?: KeptBodies;
};

/**
 * Reads our own recording unchanged, or one by another tool, in the order of its entries. Keys, cookies and other
 * secrets in the latter are replaced by markers everywhere. Entries are parsed one by one as the file comes, so that the
 * memory holds neither the file nor all of them twice, and bodies beyond a bound are left out.
 * @param file its text, or the bytes of it; a chunk may change as soon as the next one is read
 * @param fileName for error messages
 * @param reading texts of the document that are not secrets, such as a pool, and texts that are keys, among others
 * @throws HarError naming the file, the place and the remedy
 */
export function parseHar(
  file: string | Iterable<Uint8Array>,
  fileName: string,
  { attached = () => undefined, bodies = boundRecordedBodies(), ...known }: HarReading = {},
): ReadRecording {
  const chunks = typeof file === 'string' ? readChunks(holdBytes(Buffer.from(file))) : file;
  const entries = new EntryReader(fileName, attached, bodies);
  const rest = splitEntries(chunks, fileName, (element) => entries.read(element));
  const log = new HarNode(parseRest(rest, fileName, entries.jsonFault), '', fileName).member('log');
  const ours = log.member('_candleproof');
  const target = ours.member('target').optional(readTargetFacts);
  const seed = ours.member('seed').optional((node) => node.number());
  log.member('entries').elements();
  const { exchanges, skipped } = entries.takeAll();
  return freezeDeep({ exchanges: withoutSecrets(exchanges, known), skipped, target, seed });
}

/** Parses what lies around the entries. The parser's message is dropped: it quotes the text, which may hold a key. */
function parseRest(
  { before, after }: RestOfRecording,
  fileName: string,
  broken: HarError | undefined,
): unknown {
  const text = withoutMark(before.text + (after?.text ?? ''));
  try {
    return JSON.parse(text);
  } catch {
    const index = findJsonFault(text) + before.text.length + (after?.text.length ?? 0) - text.length;
    if (after === undefined || index < before.text.length) throw jsonError(before, index, fileName);
    throw broken ?? jsonError(after, index - before.text.length, fileName);
  }
}

/** Drops the mark of the byte order. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
