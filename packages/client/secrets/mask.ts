import type { Exchange, HeaderLine, ReceivedResponse, SentRequest } from '@candleproof/law/reading/exchange';
import { KEY_HEADER, markerOf, type Redaction, type SecretKind } from './redaction.ts';

/** Endings of the names of headers and URL parameters that hold a secret, in lower-case letters only. */
const SECRET_NAME =
  /(key|token|secret|passw(or)?d|pwd|auth|authorization|credentials?|session(id)?|sid|sig|signature|jwt|code|otp)$/;

/** Characters that are ignored in a name. */
const NO_LETTER = /[^a-z]+/g;

/** Forms of generated tokens: mixed case with digits, hexadecimal, lower case with digits, and JWT. */
const TOKENS = [
  /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w.~+/=-]{20,}$/,
  /^(?=.*\d)(?=.*[a-f])[0-9a-f]{32,}$/i,
  /^(?=(\D*\d){4})(?=.*[a-z])[0-9a-z]{24,}$/i,
  /^eyJ[\w-]{10,}\./,
];

const MARKED = /\[redacted:/;

/** Replaces secrets in their usual places, and searches everywhere for those that cannot be ordinary text. */
export class Mask {
  readonly #redaction: Redaction;
  readonly #plain: ReadonlySet<string>;

  /** @param plain texts that are not secret, whatever their form or name */
  constructor(redaction: Redaction, plain: ReadonlySet<string> = new Set()) {
    this.#redaction = redaction;
    this.#plain = plain;
  }

  exchange({ request, response, ...rest }: Exchange): Exchange {
    return {
      request: this.#request(request),
      ...(response && { response: this.#response(response) }),
      ...rest,
    };
  }

  /** Returns a text without the secrets of URLs in it. */
  text(text: string): string {
    return this.#url(text);
  }

  /** Reads headers first, because they identify a secret better than a URL does. */
  #request(request: SentRequest): SentRequest {
    const headers = request.headers.map((header) => this.#line(header));
    const { body, ...others } = request;
    const masked = body === undefined ? undefined : this.#body(body);
    return { ...others, headers, url: this.#url(request.url), ...(masked !== undefined && { body: masked }) };
  }

  /** Returns a JSON body without its secrets; undefined for one that cannot be read. */
  #body(text: string): string | undefined {
    const mask = (name: string, value: unknown): unknown => {
      const isPlain = typeof value === 'object' || this.#plain.has(String(value));
      const isSecret = !isPlain && (isSecretName(name) || this.#isToken(String(value)));
      return isSecret ? this.#maskCredential('parameter', String(value)) : value;
    };
    try {
      return JSON.stringify(JSON.parse(text, mask));
    } catch {
      return undefined;
    }
  }

  #response(response: ReceivedResponse): ReceivedResponse {
    return { ...response, headers: response.headers.map((header) => this.#line(header)) };
  }

  #line([name, value]: HeaderLine): HeaderLine {
    switch (name.toLowerCase()) {
      case KEY_HEADER:
        return [name, value];
      case 'cookie':
        return [name, value.replace(/[^;]+/g, (pair) => this.#cookie(pair))];
      case 'set-cookie':
        return [name, value.replace(/^[^;]*/, (first) => this.#cookie(first))];
    }
    if (isSecretName(name)) return [name, this.#authorisation(value)];
    return [name, /:\/\/|\?/.test(value) ? this.#url(value) : value];
  }

  #cookie(pair: string): string {
    const [, name = '', value = ''] = /^([^=]*=)?(.*)$/s.exec(pair) ?? [];
    return name + this.#maskCredential('cookie', value);
  }

  /** Keeps the scheme, such as Bearer. */
  #authorisation(value: string): string {
    const [, scheme = '', rest = ''] = /^(\w+ +)?(.*)$/s.exec(value) ?? [];
    return scheme + this.#maskCredential('authorization', rest);
  }

  /** Also for texts that contain a URL. Splits into parts first, so that the cost stays linear. */
  #url(text: string): string {
    return text.replace(/[^?&#;\s]+/g, (part) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
      if (this.#plain.has(decodeEscapes(value))) return part;
      if (isSecretName(decodeEscapes(name)) || this.#isToken(decodeEscapes(value)))
        return `${name}=${this.#maskCredential('parameter', value)}`;
      return part
        .split('/')
        .map((step, index, steps) => this.#step(step, steps[index - 2]))
        .join('/');
    });
  }

  /** Masks a step of a path; after a scheme and two slashes, the host with an optional user and password. */
  #step(step: string, scheme: string | undefined): string {
    const at = scheme?.endsWith(':') ? step.lastIndexOf('@') : -1;
    if (at >= 0) return this.#maskCredential('authorization', step.slice(0, at)) + step.slice(at);
    // A name in mixed case with a number after it, such as startTime=1760918400000, is not a token.
    const [, name = '', value = step] = /^([A-Za-z][\w.-]*)=(?!=)(.*)$/s.exec(step) ?? [];
    const isSecret = this.#isToken(decodeEscapes(value)) || this.#isToken(name);
    return isSecret ? this.#maskCredential('parameter', step) : step;
  }

  #isToken(text: string): boolean {
    return !this.#plain.has(text) && TOKENS.some((regExp) => regExp.test(text));
  }

  #maskCredential(credential: SecretKind, text: string): string {
    if (text === '' || MARKED.test(text)) return text;
    const plain = this.#redaction.text(text);
    if (plain !== text) return plain;
    for (const form of new Set([text, decodeEscapes(text)])) {
      if (this.#isToken(form)) this.#redaction.conceal({ credential, text: form });
    }
    return markerOf(credential);
  }
}

/** Returns whether a header, parameter, flag or variable of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return (
    !name.toLowerCase().startsWith('access-control-') &&
    SECRET_NAME.test(name.toLowerCase().replace(NO_LETTER, ''))
  );
}

/** Decodes the escapes of a URL's part; returns one with wrong escapes as it is. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
