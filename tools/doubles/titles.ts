import { readFileSync } from 'node:fs';
import type { Run } from '@candleproof/law/judge/verdict';
import { describeCause, findCauses, findLeading } from '@candleproof/reports/words/causes';

/** The first line of a report about a fault of a venue, and how somebody who knows the fault read it. */
export type ReadTitle = {
  readonly venue: string;
  readonly fault: string;
  readonly reading: 'right' | 'half right' | 'wrong' | 'cause not identified';
  readonly title: string;
};

/** Reads titles, each of which was read beside what the fault does, and is read again when it changes. */
export function readTitles(file: string): ReadTitle[] {
  const lines = readFileSync(`tools/doubles/golden/${file}`, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, venue = '', fault = '', reading = '', title = ''] =
      /^(.+?), (.+?): (right|half right|wrong|cause not identified): (.*)$/.exec(line) ?? [];
    return { venue, fault, reading: reading as ReadTitle['reading'], title };
  });
}

/** Returns the share of titles that were read so. */
export function measureShare(reading: ReadTitle['reading'], titles: readonly ReadTitle[]): number {
  return titles.filter((one) => one.reading === reading).length / titles.length;
}

/** Returns the first line of a report without its numbers; undefined if it has no finding. */
export function firstLine(run: Run): string | undefined {
  const causes = findCauses(run);
  const cause = findLeading(run, causes)?.cause ?? causes[0];
  return (
    cause &&
    describeCause(cause, run)
      .slice(0, 160)
      .replace(/\d+(\.\d+)?(e[+-]?\d+)?/g, '#')
  );
}
