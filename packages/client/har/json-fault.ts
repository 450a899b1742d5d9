/** Lines and columns count from 1; columns count UTF-16 units. */
export type TextPlace = { readonly line: number; readonly column: number };

type Expected = 'value' | 'element-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end';

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Returns the index at which a text stops being JSON, its length if it ends too early. JSON.parse may quote the text,
 * and reports the place of some faults only.
 */
export function findJsonFault(text: string): number {
  return new FaultScanner(text).fault();
}

/** Keeps a separate stack of open brackets, so that deep nesting cannot overflow the call stack. */
class FaultScanner {
  readonly #text: string;
  readonly #open: string[] = [];
  #at = 0;
  #expected: Expected = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the index of the first invalid character; the text's length if it ends too early. */
  fault(): number {
    do this.#match(SPACE);
    while (this.#at < this.#text.length && this.#step());
    return this.#at;
  }

  /** Skips one token; returns false at a fault, and leaves the position there. */
  #step(): boolean {
    const character = this.#text[this.#at] ?? '';
    switch (this.#expected) {
      case 'colon':
        return character === ':' && this.#pass('value');
      case 'comma-or-end':
        return character === ',' ? this.#comma() : this.#close(character);
      case 'name':
      case 'name-or-end':
        if (character === '}' && this.#expected === 'name-or-end') return this.#close(character);
        return character === '"' && this.#string('colon');
      default:
        if (character === ']' && this.#expected === 'element-or-end') return this.#close(character);
        return this.#value(character);
    }
  }

  #value(character: string): boolean {
    if (character === '"') return this.#string('comma-or-end');
    if (character !== '{' && character !== '[') return this.#match(SCALAR) && this.#expect('comma-or-end');
    this.#open.push(character);
    return this.#pass(character === '{' ? 'name-or-end' : 'element-or-end');
  }

  #comma(): boolean {
    const within = this.#open.at(-1);
    return within !== undefined && this.#pass(within === '{' ? 'name' : 'value');
  }

  #close(character: string): boolean {
    const within = this.#open.at(-1);
    if (within === undefined || character !== (within === '{' ? '}' : ']')) return false;
    this.#open.pop();
    return this.#pass('comma-or-end');
  }

  #string(next: Expected): boolean {
    this.#at += 1;
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) return this.#pass(next);
      if (code === 0x5c) {
        if (!this.#match(ESCAPE)) return false;
      } else if (code < 0x20) return false;
      else this.#at += 1;
    }
    return false;
  }

  #pass(next: Expected): boolean {
    this.#at += 1;
    return this.#expect(next);
  }

  #expect(next: Expected): boolean {
    this.#expected = next;
    return true;
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found !== undefined;
  }
}
