import { isUtf8 } from 'node:buffer';
import type {
  Body,
  Credential,
  Exchange,
  HeaderLine,
  ReceivedResponse,
  SentRequest,
} from '@candleproof/law/reading/exchange';
import { replaceNested } from './nested-forms.ts';
import { listForms, looseForm, needsOtherForms, plainForm } from './secret-forms.ts';
import { type FoundSecret, SecretSearch } from './secret-search.ts';

/** Kinds of secrets in recordings of others; a target that repeats one does not disguise it. */
const FOREIGN = ['cookie', 'authorization', 'parameter'] as const;

/** The kind of secret that a marker names. */
export type SecretKind = Credential | (typeof FOREIGN)[number];

/** A text that no recording may contain, and the kind that its marker names. */
export type Secret = { readonly credential: SecretKind; readonly text: string };

/** Returns an exchange with every secret replaced by its marker; its sizes stay as they were counted. */
export type Redactor = (exchange: Exchange) => Exchange;

/** The header that carries the key (§5). */
export const KEY_HEADER = 'x-api-key';

/**
 * Shorter secrets are replaced only in the key header: elsewhere they would match prices and times by chance. No real
 * key is that short (§5: 32 characters).
 */
const SHORTEST_SEARCHED = 8;

/** Returns the text that replaces a secret, such as `[redacted:api-key]`. */
export function markerOf(credential: SecretKind): string {
  return `[redacted:${credential}]`;
}

/** Returns a redactor for these secrets. */
export function redactorFor(secrets: readonly Secret[]): Redactor {
  const redaction = new Redaction();
  for (const secret of secrets) redaction.conceal(secret);
  return (exchange) => redaction.clean(exchange);
}

/** Longer secrets, such as keys in PEM, are searched for in pieces of so many characters. */
const LONGEST_SEARCHED = 1024;

/** Longest texts that are remembered as harmless, and most of them. */
const [longestKnown, mostKnown] = [256, 1024];

/** `lead`: number of characters before its first letter or digit. */
type Sought = { readonly text: string; readonly marker: string; readonly lead: number };

/** A form that the search for letters and digits does not find. */
type Odd = { readonly form: RegExp; readonly marker: string };

/** Removes from exchanges every secret that was ever named. */
export class Redaction {
  readonly #search = new SecretSearch();
  readonly #sought: Sought[] = [];
  #longestFirst: readonly Sought[] | undefined;
  #odd: readonly Odd[] = [];
  /** Short texts without a secret. */
  readonly #harmless = new Set<string>();

  /** The number of spellings in the search; each slows it down. */
  get size(): number {
    return this.#sought.length;
  }

  /** Adds a secret to the search. */
  conceal({ credential, text }: Secret): void {
    if (text.length < SHORTEST_SEARCHED) return;
    const marker = markerOf(credential);
    const isOurs = !(FOREIGN as readonly string[]).includes(credential);
    for (const spelling of listPieces(text).flatMap(spellings)) {
      if (this.#sought.some((known) => known.marker === marker && known.text === spelling)) continue;
      this.#sought[this.#search.add(isOurs ? listForms(spelling) : plainForm(spelling))] = {
        text: spelling,
        marker,
        lead: Math.max(0, spelling.search(/[A-Za-z0-9]/)),
      };
      if (needsOtherForms(spelling)) this.#odd = [...this.#odd, { form: looseForm(spelling), marker }];
    }
    this.#longestFirst = undefined;
    this.#harmless.clear();
  }

  clean({ request, response, failure, ...rest }: Exchange): Exchange {
    const clean = (text: string): string => this.text(text);
    return {
      request: cleanRequest(request, clean),
      ...(response && { response: cleanResponse(response, clean) }),
      ...(failure && { failure: { ...failure, message: clean(failure.message) } }),
      ...rest,
    };
  }

  /** Most lines of headers come again and again, and are searched once. */
  text(text: string): string {
    if (this.#sought.length === 0 || this.#harmless.has(text)) return text;
    const cleaned = this.#cleanText(text);
    if (cleaned === text && text.length <= longestKnown) {
      if (this.#harmless.size === mostKnown) this.#harmless.clear();
      this.#harmless.add(text);
    }
    return cleaned;
  }

  /** Sets markers aside during the search, so that no secret is found inside one. */
  #cleanText(text: string): string {
    const holds = (decoded: string): boolean => this.#search.find(decoded).length > 0;
    const shallow = replaceNested(text, holds, this.#sought[0]?.marker ?? '');
    if (this.#odd.length === 0) return this.#redact(shallow);
    let pieces = [shallow];
    for (const { form, marker } of this.#odd) {
      pieces = pieces.flatMap((piece, index) => (index % 2 === 1 ? [piece] : cut(piece, form, marker)));
    }
    return pieces.map((piece, index) => (index % 2 === 1 ? piece : this.#redact(piece))).join('');
  }

  #redact(text: string): string {
    let cleaned = '';
    let kept = 0;
    for (const foundSecret of this.#search.find(text)) {
      const { from, to, marker } = this.#locateMarker(text, foundSecret);
      cleaned += text.slice(kept, Math.max(kept, from)) + marker;
      kept = to;
    }
    return kept === 0 ? text : cleaned + text.slice(kept);
  }

  /** Includes the characters around the letters and digits if the secret occurs literally. */
  #locateMarker(
    text: string,
    { from, to, secret }: FoundSecret,
  ): { from: number; to: number; marker: string } {
    this.#longestFirst ??= this.#sought.toSorted((one, other) => other.text.length - one.text.length);
    for (const sought of this.#longestFirst) {
      const start = from - sought.lead;
      if (text.startsWith(sought.text, start))
        return { from: start, to: Math.max(to, start + sought.text.length), marker: sought.marker };
    }
    return { from, to, marker: this.#sought[secret]?.marker ?? '' };
  }
}

/** Cuts a secret into as few equal pieces as can be searched for. */
function listPieces(text: string): string[] {
  const count = Math.ceil(text.length / LONGEST_SEARCHED);
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size));
}

/** Returns a secret and its spelling in headers and undecoded bytes, whose UTF-8 is read as Latin-1. */
function spellings(text: string): string[] {
  return [...new Set([text, Buffer.from(text).toString('latin1')])];
}

/** Returns text, marker, text, marker, … text. */
function cut(text: string, form: RegExp, marker: string): string[] {
  return text.split(form).flatMap((piece, index) => (index === 0 ? [piece] : [marker, piece]));
}

function cleanRequest(request: SentRequest, clean: (text: string) => string): SentRequest {
  const authenticated = request.credential !== 'none' && request.credential !== 'unknown';
  const headers = request.headers.map((line): HeaderLine => {
    const isKey = authenticated && line[0].toLowerCase() === KEY_HEADER;
    return isKey ? [line[0], markerOf(request.credential)] : cleanLine(line, clean);
  });
  const { body } = request;
  return { ...request, url: clean(request.url), headers, ...(body !== undefined && { body: clean(body) }) };
}

function cleanResponse(response: ReceivedResponse, clean: (text: string) => string): ReceivedResponse {
  const headers = response.headers.map((line) => cleanLine(line, clean));
  return {
    ...response,
    statusText: clean(response.statusText),
    headers,
    ...(response.body && { body: cleanBody(response.body, clean) }),
  };
}

function cleanLine([name, value]: HeaderLine, clean: (text: string) => string): HeaderLine {
  return [clean(name), clean(value)];
}

/** Searches the decoded bytes of a Base64 body. */
function cleanBody(body: Body, clean: (text: string) => string): Body {
  if (body.encoding === 'utf8') return { ...body, text: clean(body.text) };
  const text = Buffer.from(body.text, 'base64').toString('latin1');
  const cleaned = clean(text);
  return cleaned === text ? body : { ...body, ...bodyText(Buffer.from(cleaned, 'latin1')) };
}

/** Returns bytes as an exchange holds them: as text if they are valid UTF-8, otherwise in Base64. */
export function bodyText(bytes: Buffer): Pick<Body, 'text' | 'encoding'> {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), encoding: 'utf8' };
  return { text: bytes.toString('base64'), encoding: 'base64' };
}
