import type { Exchange, Recording, TargetFacts } from '@candleproof/law/reading/exchange';
import { type KnownTexts, type RecordedExchange, withoutSecrets } from '../secrets/recorded-secrets.ts';
import { freezeDeep } from '../send/frozen.ts';
import { KeptBodies } from '../send/kept-bodies.ts';
import type { Attached, Skipped } from './foreign-entry.ts';
import { harEntry } from './har-entry.ts';
import { HarError, HarNode } from './har-node.ts';
import { readForeignEntry } from './har-of-others.ts';
import { readOurEntry, readTargetFacts } from './har-of-ours.ts';
import { jsonFaultIn } from './json-fault.ts';
import { splitEntries } from './split-entries.ts';

/** Largest recording, in bytes; callers refuse a larger file before they read it. */
export const LARGEST_HAR_BYTES = 256 * 1024 * 1024;

/** Memory for the bodies of all recordings that are judged together, as KeptBodies estimates it. */
const mostKeptBytes = 128 * 1024 * 1024;

/** Makes the bound of recordings that are judged together. */
export function boundRecordedBodies(): KeptBodies {
  return new KeptBodies(mostKeptBytes);
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
 * secrets in the latter are replaced by markers everywhere. Entries are parsed one by one, so that the memory does not
 * hold all of them twice, and bodies beyond a bound are left out.
 * @param file its text, or the bytes of it
 * @param fileName for error messages
 * @param reading texts of the document that are not secrets, such as a pool, and texts that are keys, among others
 * @throws HarError naming the file, the place and the remedy
 */
export function parseHar(
  file: string | Buffer,
  fileName: string,
  { attached = () => undefined, bodies = boundRecordedBodies(), ...known }: HarReading = {},
): ReadRecording {
  const bytes = withoutMark(typeof file === 'string' ? Buffer.from(file) : file);
  const split = splitEntries(bytes, fileName);
  const parse = (text: string): unknown => parseJson(text, bytes, fileName);
  const log = new HarNode(parse(split.rest), '', fileName).member('log');
  const ours = log.member('_candleproof');
  const target = ours.member('target').optional(readTargetFacts);
  const seed = ours.member('seed').optional((node) => node.number());
  log.member('entries').elements();
  const entries = split.entries.map(([from, to], index) => {
    const parsed = parse(bytes.toString('utf8', from, to));
    const entry = readEntry(new HarNode(parsed, `log.entries[${index}]`, fileName), attached);
    return 'skipped' in entry ? entry : { ...entry, exchange: keepBody(bodies, entry.exchange) };
  });
  return freezeDeep({
    exchanges: withoutSecrets(
      entries.flatMap((entry) => ('skipped' in entry ? [] : [entry])),
      known,
    ),
    skipped: entries.flatMap((entry) => ('skipped' in entry ? [entry.skipped] : [])),
    target,
    seed,
  });
}

/** A recorder that omits bodies does so at will; that we did is said, since it decides nothing. */
function keepBody(bodies: KeptBodies, exchange: Exchange): Exchange {
  const kept = bodies.keep(exchange);
  if (kept === exchange || kept.recorder === undefined) return kept;
  return { ...kept, recorder: { ...kept.recorder, bodyOverLimit: true } };
}

/** Drops the mark of the byte order. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).toString('hex') === 'efbbbf' ? bytes.subarray(3) : bytes;
}

function readEntry(entry: HarNode, attached: Attached): RecordedExchange | Skipped {
  if (!entry.member('_candleproof').absent) return { isOurs: true, exchange: readOurEntry(entry) };
  const exchange = readForeignEntry(entry, attached);
  return 'skipped' in exchange ? exchange : { isOurs: false, exchange };
}

/** Parses a part of a file. Drops the parser's message, because it quotes the text, which may contain a key. */
function parseJson(part: string, bytes: Buffer, fileName: string): unknown {
  try {
    return JSON.parse(part);
  } catch {
    const { line, column } = jsonFaultIn(bytes.toString('utf8'));
    const trouble = 'is where the file stops being JSON: export the recording as HAR 1.2 again';
    throw new HarError(fileName, `line ${line}, column ${column}`, trouble);
  }
}
