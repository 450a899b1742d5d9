import { questions } from '../law/observations.ts';
import { alternative } from '../law/observed-values.ts';

/** Characters of an answer that a baseline keeps: enough for every answer of ours, little for a hostile one. */
const longest = 1600;

/** Returns the pinned answer where this one contradicts it; undefined where both can be true. */
export function findContradicted(question: string, pinned: string, answer: string): string | undefined {
  const before = clip(pinned);
  const [then, now] = [ungrouped(before), ungrouped(clip(answer))];
  if (!hasParts(question)) return shared(then, now).length > 0 ? undefined : before;
  const [old, parts] = [splitParts(then), splitParts(now)];
  return [...parts].every(([name, part]) => (old.get(name) ?? part) === part) ? undefined : before;
}

/** Returns the answer to pin. Where a new answer leaves something open, the pinned one stays. */
export function pinAfter(question: string, pinned: string | undefined, answer: string): string {
  const now = clip(answer);
  if (pinned === undefined) return now;
  if (hasParts(question)) {
    return clip([...new Map([...splitParts(pinned), ...splitParts(now)]).values()].join(', '));
  }
  const both = shared(clip(pinned), now);
  return both.length > 0 ? both.join(alternative) : now;
}

/** A pin may be of the time when `1,397` was written as `1397`. */
function ungrouped(text: string): string {
  return text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
}

function hasParts(id: string): boolean {
  return questions.some((question) => question.id === id && question.hasParts === true);
}

/** Returns the possibilities that two answers share. */
function shared(a: string, b: string): string[] {
  const others = new Set(b.split(alternative));
  return a.split(alternative).filter((choice) => others.has(choice));
}

/** `HOUR UTC, DAY UTC` and `closed: …, open: …` by their first words. */
function splitParts(answer: string): Map<string, string> {
  return new Map(answer.split(', ').map((part) => [part.split(' ', 1)[0] ?? part, part]));
}

/**
 * The text of a target may be cut in the middle of a character or hold half ones, which no file keeps. What is reported
 * in parts loses whole ones: half a part would contradict the whole one of the next run.
 */
function clip(text: string): string {
  if (text.length <= longest) return text.toWellFormed();
  const cut = text.slice(0, longest);
  const end = cut.lastIndexOf(', ');
  return (end > 0 ? cut.slice(0, end) : cut).toWellFormed();
}
