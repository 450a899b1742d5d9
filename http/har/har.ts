import type { Exchange, Recording, TargetFacts } from '../../contract/reading/exchange.ts';
import { type KnownTexts, type RecordedExchange, withoutSecrets } from '../secrets/recorded-secrets.ts';
import { freezeDeep } from '../send/frozen.ts';
import type { Attached, Skipped } from './foreign-entry.ts';
import { harEntry } from './har-entry.ts';
import { HarError, HarNode } from './har-node.ts';
import { readForeignEntry } from './har-of-others.ts';
import { readOurEntry, readTargetFacts } from './har-of-ours.ts';
import { jsonFaultIn } from './json-fault.ts';

/** Largest recording, in bytes; callers refuse a larger file before they read it. */
export const LARGEST_HAR_BYTES = 256 * 1024 * 1024;

export type ReadRecording = {
  readonly exchanges: readonly Exchange[];
  /** The reason for each skipped entry. */
  readonly skipped: readonly string[];
  /** Only our own recordings contain the target and the seed. */
  readonly target?: TargetFacts;
  readonly seed?: number;
};

/** Writes a recording as HAR 1.2; facts without a place in HAR go into `_candleproof` members. */
export function toHar({ target, seed, exchanges }: Recording, creatorVersion: string): string {
  return JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'Candleproof', version: creatorVersion },
      entries: exchanges.map(harEntry),
      _candleproof: { target, seed },
    },
  });
}

/**
 * Reads our own recording unchanged, or one by another tool, in the order of its entries. Keys, cookies and other
 * secrets in the latter are replaced by markers everywhere.
 * @param fileName for error messages
 * @param options.attached bodies that the recording keeps in separate files
 * @param options texts of the document that are not secrets, such as a pool, and texts that are keys
 * @throws HarError naming the file, the place and the remedy
 */
export function parseHar(
  text: string,
  fileName: string,
  { attached = () => undefined, ...known }: KnownTexts & { readonly attached?: Attached } = {},
): ReadRecording {
  const log = new HarNode(parseJson(text, fileName), '', fileName).member('log');
  const ours = log.member('_candleproof');
  const target = ours.member('target').optional(readTargetFacts);
  const seed = ours.member('seed').optional((node) => node.number());
  const entries = log
    .member('entries')
    .elements()
    .map((element) => readEntry(element, attached));
  return freezeDeep({
    exchanges: withoutSecrets(
      entries.flatMap((entry) => ('skipped' in entry ? [] : [entry])),
      known,
    ),
    skipped: entries.flatMap((entry) => ('skipped' in entry ? [entry.skipped] : [])),
    ...(target && { target }),
    ...(seed !== undefined && { seed }),
  });
}

function readEntry(entry: HarNode, attached: Attached): RecordedExchange | Skipped {
  if (!entry.member('_candleproof').absent) return { isOurs: true, exchange: readOurEntry(entry) };
  const exchange = readForeignEntry(entry, attached);
  return 'skipped' in exchange ? exchange : { isOurs: false, exchange };
}

/** Drops the parser's message, because it quotes the text, which may contain a key. */
function parseJson(text: string, fileName: string): unknown {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(content);
  } catch {
    const { line, column } = jsonFaultIn(content);
    const trouble = 'is where the file stops being JSON: export the recording as HAR 1.2 again';
    throw new HarError(fileName, `line ${line}, column ${column}`, trouble);
  }
}
