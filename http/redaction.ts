import { isUtf8 } from 'node:buffer';
import type {
  Body,
  Credential,
  Exchange,
  HeaderLine,
  ReceivedResponse,
  SentRequest,
} from '../contract/exchange.ts';
import { base64Form, exactForm, hexForm, looseForm, partForm, reversedPartForm } from './secret-forms.ts';

/** Secrets that recordings of others hold; a target that repeats one does not mean to hide it. */
const FOREIGN = ['cookie', 'authorization', 'parameter'] as const;

/** What a marker names. */
export type SecretKind = Credential | (typeof FOREIGN)[number];

/** A text that no record may hold, and what stands in its place. */
export type Secret = { readonly credential: SecretKind; readonly text: string };

/** Gives the same exchange with every secret replaced by its marker; counted sizes stay as they were. */
export type Redactor = (exchange: Exchange) => Exchange;

/** The header that carries the key (§5). */
export const KEY_HEADER = 'x-api-key';

/**
 * Shorter secrets are replaced only in the key header: they would be found by chance all over prices and times, and
 * what an answer says would be lost. No real key is that short (§5: 32 characters).
 */
const SHORTEST_SEARCHED = 8;

/** The typed text that stands for a secret, such as `[redacted:api-key]`. */
export function markerOf(credential: SecretKind): string {
  return `[redacted:${credential}]`;
}

/** Prepares the search for these secrets. */
export function redactorFor(secrets: readonly Secret[]): Redactor {
  const redaction = new Redaction();
  for (const each of secrets) redaction.conceal(each);
  return (exchange) => redaction.clean(exchange);
}

/** What is longer is looked for by its beginning: nobody makes such keys. */
const LONGEST_SEARCHED = 1024;

type Search = { readonly form: RegExp; readonly marker: string };

/** Takes secrets out of exchanges; every one that was ever named is looked for. */
export class Redaction {
  readonly #secrets: Secret[] = [];
  #searches: readonly Search[] = [];

  /** Looks for this secret too from now on. */
  conceal({ credential, text: whole }: Secret): void {
    const text = whole.slice(0, LONGEST_SEARCHED);
    if (text.length < SHORTEST_SEARCHED) return;
    if (this.#secrets.some((known) => known.credential === credential && known.text === text)) return;
    this.#secrets.push({ credential, text });
    this.#searches = searchesFor(this.#secrets);
  }

  /** The same exchange with every secret replaced by its marker; counted sizes stay as they were. */
  clean({ request, response, failure, ...rest }: Exchange): Exchange {
    const clean = (text: string): string => this.text(text);
    return {
      request: cleanRequest(request, clean),
      ...(response && { response: cleanResponse(response, clean) }),
      ...(failure && { failure: { ...failure, message: clean(failure.message) } }),
      ...rest,
    };
  }

  /** Markers are set aside while the search goes on, so that no secret is found inside one. */
  text(text: string): string {
    let pieces = [text];
    for (const { form, marker } of this.#searches) {
      pieces = pieces.flatMap((piece, index) => (index % 2 === 1 ? [piece] : cut(piece, form, marker)));
    }
    return pieces.join('');
  }
}

/**
 * A trial key may hold the good key or a part of it, so longer ones go first; it may also be the good key in another
 * case, so exact spellings go before all others. What a recording of others holds is looked for as it stands.
 */
function searchesFor(secrets: readonly Secret[]): Search[] {
  const sought = secrets
    .toSorted((one, other) => other.text.length - one.text.length)
    .flatMap(({ credential, text }) =>
      spellings(text).map((each) => ({
        text: each,
        marker: markerOf(credential),
        isForeign: (FOREIGN as readonly string[]).includes(credential),
      })),
    );
  const by = (formOf: (text: string) => RegExp | undefined): Search[] =>
    sought.flatMap(({ text, marker, isForeign }) => {
      const form = isForeign && formOf !== exactForm ? undefined : formOf(text);
      return form ? [{ form, marker }] : [];
    });
  return [exactForm, looseForm, base64Form, hexForm, partForm, reversedPartForm].flatMap(by);
}

/** Headers and undecoded bytes are read as Latin-1: there the UTF-8 of a secret looks otherwise. */
function spellings(text: string): string[] {
  return [...new Set([text, Buffer.from(text).toString('latin1')])];
}

/** Text, marker, text, marker, … text. */
function cut(text: string, form: RegExp, marker: string): string[] {
  return text.split(form).flatMap((piece, index) => (index === 0 ? [piece] : [marker, piece]));
}

function cleanRequest(request: SentRequest, clean: (text: string) => string): SentRequest {
  const authenticated = request.credential !== 'none' && request.credential !== 'unknown';
  const headers = request.headers.map((line): HeaderLine => {
    const isKey = authenticated && line[0].toLowerCase() === KEY_HEADER;
    return isKey ? [line[0], markerOf(request.credential)] : cleanLine(line, clean);
  });
  return { ...request, url: clean(request.url), headers };
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

/** Base64 would hide a secret from the search, so its bytes are searched. */
function cleanBody(body: Body, clean: (text: string) => string): Body {
  if (body.encoding === 'utf8') return { ...body, text: clean(body.text) };
  const text = Buffer.from(body.text, 'base64').toString('latin1');
  const cleaned = clean(text);
  return cleaned === text ? body : { ...body, ...bodyText(Buffer.from(cleaned, 'latin1')) };
}

/** Bytes as an exchange holds them: text when they are valid UTF-8, else Base64. */
export function bodyText(bytes: Buffer): Pick<Body, 'text' | 'encoding'> {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), encoding: 'utf8' };
  return { text: bytes.toString('base64'), encoding: 'base64' };
}
