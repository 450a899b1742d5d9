/** Shorter runs cannot contain a key that is encoded twice. */
const SHORTEST_RUN = 32;

/** 1 at the codes of Base64 and hexadecimal digits. */
const SIGNS = new Uint8Array(128);
for (const sign of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/_-')
  SIGNS[sign.charCodeAt(0)] = 1;

/** Most layers of encoding around a form that the plain search finds. */
const DEEPEST = 2;

/** Most characters that are decoded for one text: one that decodes to itself repeatedly would take minutes. */
const MOST_DECODED = 1 << 25;

/**
 * Replaces each run of Base64 or hexadecimal digits, forwards or backwards, in which `holds` finds a secret after
 * decoding it once or twice. Most texts have no such run, and cost only the search for one.
 */
export function replaceNested(text: string, holds: (text: string) => boolean, marker: string): string {
  const budget = { left: MOST_DECODED };
  let replaced = '';
  let kept = 0;
  for (const [from, to] of runsIn(text)) {
    if (!isHidden(text.slice(from, to), DEEPEST, holds, budget)) continue;
    replaced += text.slice(kept, from) + marker;
    kept = to;
  }
  return kept === 0 ? text : replaced + text.slice(kept);
}

/** Finds the bounds of runs without a regular expression, whose stack would grow with their length. */
function runsIn(text: string): [from: number, to: number][] {
  const runs: [number, number][] = [];
  // Every run is at least as long as the step, so that one of these places lies in it.
  for (let at = SHORTEST_RUN - 1; at < text.length; at += SHORTEST_RUN) {
    if (SIGNS[text.charCodeAt(at)] !== 1) continue;
    let from = at;
    while (from > 0 && SIGNS[text.charCodeAt(from - 1)] === 1) from--;
    let to = at + 1;
    while (to < text.length && SIGNS[text.charCodeAt(to)] === 1) to++;
    if (to - from >= SHORTEST_RUN) runs.push([from, to]);
    while (at + SHORTEST_RUN < to) at += SHORTEST_RUN;
  }
  return runs;
}

function isHidden(
  run: string,
  depth: number,
  holds: (text: string) => boolean,
  budget: { left: number },
): boolean {
  for (const decoded of decodings(run)) {
    budget.left -= run.length;
    if (budget.left < 0) return false;
    if (holds(decoded)) return true;
    if (depth === 1) continue;
    for (const [from, to] of runsIn(decoded))
      if (isHidden(decoded.slice(from, to), depth - 1, holds, budget)) return true;
  }
  return false;
}

/** A run may begin inside the encoded text. Zero bytes of UTF-16 are dropped. */
function* decodings(run: string): Generator<string> {
  for (const text of [run, reverseText(run)]) {
    for (const lead of ['', 'A', 'AA', 'AAA']) yield decodeNested(lead + text, 'base64');
    if (!/^[0-9a-f]+$/i.test(text)) continue;
    for (const lead of ['', '0']) yield decodeNested(lead + text, 'hex');
  }
}

function reverseText(text: string): string {
  return Buffer.from(text, 'latin1').reverse().toString('latin1');
}

function decodeNested(text: string, encoding: 'base64' | 'hex'): string {
  return Buffer.from(text, encoding).toString('latin1').replaceAll('\0', '');
}
