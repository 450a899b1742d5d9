import { readFileSync } from 'node:fs';

/** A fenced block of a page. */
export type PageBlock = {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** Why no test runs it, as its fence says: `sh left out: it needs k6`. */
  readonly leftOut?: string;
  /** The exit code that its fence promises: `sh exit 1`. */
  readonly exit: number;
  readonly text: string;
};

/** A command of a `console` block, and what the page says that it prints. */
export type ShownCall = { readonly command: string; readonly output: string };

/** Returns the fenced blocks of a page that a reader would type into a shell, and those whose language is not said. */
export function listShellBlocks(page: string): PageBlock[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^```(\w*)(?: ([^\n]*))?\n(.*?)^```$/gms)]
    .map(({ 1: language = '', 2: info = '', 3: block = '', index }) => {
      const leftOut = /^left out: (.+)$/.exec(info)?.[1];
      return {
        ...{ page, language, text: block },
        line: text.slice(0, index).split('\n').length,
        exit: Number(/^exit (\d)$/.exec(info)?.[1] ?? 0),
        ...(leftOut !== undefined && { leftOut }),
      };
    })
    .filter(({ language }) => ['', 'sh', 'console'].includes(language));
}

/** Splits a `console` block into its commands; one goes on after a line that ends with `\`. */
export function listShownCalls(text: string): ShownCall[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((call) => {
      const [command = ''] = /^(?:[^\n]*\\\n)*[^\n]*/.exec(call) ?? [];
      return { command, output: call.slice(command.length + 1) };
    });
}

/** Counts that move with the hour: these may differ by a twentieth. */
const moving = /\b\d[\d,]*(?= (?:musts|candles)\b)/g;

/**
 * Returns whether a page shows what is printed, but for ports, durations, ages and a busy machine; counts that move
 * with the hour may be somewhat older.
 */
export function isShown(shown: string, printed: string): boolean {
  const [before, now] = [shown, printed].map((text) =>
    text
      .trimEnd()
      .replaceAll(/: degraded, by latency\b/g, ': ok')
      .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, '0')
      .replaceAll(/\b\d[\d,.]*(?= (?:ms|s|min)\b)/g, '0'),
  );
  if (before?.replaceAll(moving, '0') !== now?.replaceAll(moving, '0')) return false;
  const [counts = [], others = []] = [before, now].map((text) =>
    (text?.match(moving) ?? []).map((count) => Number(count.replaceAll(',', ''))),
  );
  return counts.every((count, at) => Math.abs(count / (others[at] ?? 0) - 1) <= 1 / 20);
}
