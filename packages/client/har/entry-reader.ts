import type { Exchange } from '@candleproof/law/reading/exchange';
import type { RecordedExchange } from '../secrets/recorded-secrets.ts';
import type { KeptBodies } from '../send/kept-bodies.ts';
import type { Attached, ReadAttached, Skipped } from './foreign-entry.ts';
import { HarError, HarNode } from './har-node.ts';
import { readForeignEntry } from './har-of-others.ts';
import { readOurEntry } from './har-of-ours.ts';
import { type HarPart, placeWithin } from './har-part.ts';
import { findJsonFault } from './json-fault.ts';
import type { Element } from './split-entries.ts';

/** Reads the entries of a recording as they come. A fault waits: one around the entries may lie before it. */
export class EntryReader {
  readonly #fileName: string;
  readonly #attached: Attached;
  readonly #bodies: KeptBodies;
  readonly #exchanges: RecordedExchange[] = [];
  readonly #skipped: string[] = [];
  #jsonFault: HarError | undefined;
  #fault: HarError | undefined;

  constructor(fileName: string, attached: Attached, bodies: KeptBodies) {
    this.#fileName = fileName;
    this.#attached = attached;
    this.#bodies = bodies;
  }

  /** The first entry that is no JSON. */
  get jsonFault(): HarError | undefined {
    return this.#jsonFault;
  }

  /** Reads an entry; behind a fault, nothing but its place is of use. */
  read(element: Element): void {
    if (this.#jsonFault) return;
    const value = this.#parse(element);
    if (this.#jsonFault || this.#fault) return;
    try {
      this.#add(new HarNode(value, `log.entries[${element.index}]`, this.#fileName), element.part);
    } catch (error) {
      if (!(error instanceof HarError)) throw error;
      this.#fault = error;
    }
  }

  /** Returns what was read, and the reason for each skipped entry. Throws the first HarError. */
  takeAll(): { exchanges: readonly RecordedExchange[]; skipped: readonly string[] } {
    const fault = this.#fault ?? this.#jsonFault;
    if (fault) throw fault;
    return { exchanges: this.#exchanges, skipped: this.#skipped };
  }

  #parse({ part, index, ending }: Element): unknown {
    try {
      if (ending !== '') return JSON.parse(part.text);
    } catch {
      // The place of the fault is found below.
    }
    const opening = index === 0 ? '[' : '[0,';
    const at = findJsonFault(opening + part.text + ending) - opening.length;
    this.#jsonFault = jsonError(part, at, this.#fileName);
    return undefined;
  }

  #add(entry: HarNode, { cuts }: HarPart): void {
    let isLeftOut = cuts.length > 0;
    const read = readEntry(entry, (name) => {
      const file = this.#attached(name);
      if (file !== 'too large') return file;
      isLeftOut = true;
      return undefined;
    });
    if ('skipped' in read) this.#skipped.push(read.skipped);
    else if (!this.#bodies.holdHead(read.exchange)) this.#skipped.push('beyond what one judgement holds');
    else this.#exchanges.push({ ...read, exchange: this.#keep(read.exchange, isLeftOut) });
  }

  #keep(exchange: Exchange, isLeftOut: boolean): Exchange {
    if (isLeftOut) return withoutBody(exchange);
    const kept = this.#bodies.keep(exchange);
    return kept === exchange ? kept : withoutBody(kept);
  }
}

/** A recorder that omits bodies does so at will; that we did is said, since it decides nothing. */
function withoutBody({ response, recorder, ...rest }: Exchange): Exchange {
  const { body: _, ...head } = response ?? {};
  return {
    ...rest,
    ...(response && { response: head as typeof response }),
    ...(recorder && { recorder: { ...recorder, bodyOverLimit: true } }),
  };
}

function readEntry(entry: HarNode, attached: ReadAttached): RecordedExchange | Skipped {
  if (!entry.member('_candleproof').absent) return { isOurs: true, exchange: readOurEntry(entry) };
  const exchange = readForeignEntry(entry, attached);
  return 'skipped' in exchange ? exchange : { isOurs: false, exchange };
}

/** Makes the error about a fault at an index of a part; it quotes nothing, because the text may hold a key. */
export function jsonError(part: HarPart, index: number, fileName: string): HarError {
  const { line, column } = placeWithin(part, index);
  // A file that does not even begin as JSON is no recording that broke.
  const isOther = line === 1 && column === 1;
  const trouble = isOther
    ? 'is no JSON, so that this is no recording; a table of candles is judged by npx candleproof gate FILE'
    : 'is where the file stops being JSON: export the recording as HAR 1.2 again';
  return new HarError(fileName, `line ${line}, column ${column}`, trouble);
}
