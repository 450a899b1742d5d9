import { thousands } from '@candleproof/law/reading/words';
import { clip } from '@candleproof/reports/words/escape';
import { plural } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { formatShare } from '@candleproof/reports/words/tally';
import { verdictWords } from '@candleproof/reports/words/wording';
import type { Difference } from '../difference.ts';
import { runPath } from '../paths.ts';
import type { RunRecord } from '../records.ts';
import { type Story, verdictNow } from '../story.ts';
import { renderDate } from './site-page.ts';

const longestReason = 300;

/** `3 new, 1 fixed`; `nothing new, nothing fixed` if nothing changed. */
export function changeInWords({ failing, mended }: Pick<Difference, 'failing' | 'mended'>): string {
  const words = [
    ...(failing.length > 0 ? [`${thousands(failing.length)} new`] : []),
    ...(mended.length > 0 ? [`${thousands(mended.length)} fixed`] : []),
  ];
  return words.join(', ') || 'nothing new, nothing fixed';
}

/**
 * `Nonconformant since 2026-11-01: Volume of DAY candles is 2 times what other intervals show`, `Conformant since 2026-11-01: 1
 * recommendation broken`, `Inconclusive; conformant from 2026-11-01 to 2026-11-09`.
 */
export function nowInWords(story: Story): string {
  return readNow(story)
    .filter((part) => part !== '')
    .join(': ');
}

/** Returns the verdict of today in words, and what it is about; empty if nothing. */
function readNow(story: Story): readonly [verdict: string, what: string] {
  const { judged, since, outcomes, latest } = story;
  if (!judged || !since) return [verdictWords[latest.verdict], 'no run has come to a verdict yet'];
  const [from, to] = [since, judged].map(({ startedAt }) => startedAt.slice(0, 10));
  if (verdictNow(story) === 'inconclusive')
    return [`${verdictWords.inconclusive}; ${judged.verdict} from ${from} to ${to}`, ''];
  const failing = [...(outcomes.get(judged.id)?.values() ?? [])].filter(
    ({ outcome }) => outcome === 'failed',
  );
  const counts = (['must', 'should'] as const).flatMap((level) => {
    const count = failing.filter((rule) => rule.level === level).length;
    return count > 0 ? [plural(count, level)] : [];
  });
  const { musts } = judged;
  const what = [
    ...(counts.length > 0 ? [`${counts.join(' and ')} ${failing.length === 1 ? 'fails' : 'fail'}`] : []),
    ...(musts.known > 0 || musts.judged < musts.of ? [formatShare(musts)] : []),
  ].join(', ');
  return [`${verdictWords[judged.verdict]} since ${from}`, judged.cause ?? what];
}

/** Renders the same text, each part linked to the run that it comes from. */
export function nowLine(story: Story, root: string): Markup | string {
  const { judged, since, target } = story;
  const [verdict, what] = readNow(story);
  if (!judged || !since) return nowInWords(story);
  const link = (run: RunRecord, words: string): Markup =>
    markup`<a href="${root}${runPath(target.slug, run.id)}">${words.split(' ').map((word, at) => markup`${at > 0 && ' '}<time>${word}</time>`)}</a>`;
  return markup`${link(since, verdict)}${what !== '' && markup`: ${link(judged, what)}`}`;
}

/** Renders the latest change of a target and its last run; `root` leads to the site's root. */
export function newsLine(story: Story, root: string): Markup {
  const { target, latest } = story;
  return markup`${newsLink(story, root) ?? markup`Nothing has changed since the first run, ${renderDate(target.runs[0]?.startedAt ?? '')}`}; last run ${renderDate(latest.startedAt)}.`;
}

/** Renders the latest change of a target, linked to its page; undefined if nothing has changed. */
export function newsLink({ news, target }: Story, root: string): Markup | undefined {
  if (!news) return undefined;
  const { run, difference } = news;
  return markup`<a href="${root}${runPath(target.slug, run.id)}changes/">${changeInWords(difference)} on ${run.startedAt.slice(0, 10)}</a>`;
}

/** Words that the newest run reached no verdict, beside the earlier one. */
export function troubleLine({ latest, judged, target }: Story, root: string): Markup | undefined {
  if (latest.verdict !== 'inconclusive' || !judged) return undefined;
  return markup`The <a href="${root}${runPath(target.slug, latest.id)}">run of ${latest.startedAt.slice(0, 10)}</a> came to no verdict: ${clip(latest.reason ?? 'no reason was given', longestReason)}.`;
}
