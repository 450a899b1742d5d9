import type { Finding, RuleResult, Run } from '@candleproof/law/judge/verdict';
import { mark } from '@candleproof/reports/run/marks';
import { clip } from '@candleproof/reports/words/escape';
import { joinParts, type Markup, markup } from '@candleproof/reports/words/markup';
import { describeOperation } from '@candleproof/reports/words/wording';
import { compareMaking, compareRuns, type RuleChange, type Unlike } from '../difference.ts';
import { findingAnchor, rulePath, runPath, siteName } from '../paths.ts';

/** One of two compared runs, and its place. This file and its imports also run in browsers. */
export type Side = { readonly slug: string; readonly id: string; readonly run: Run };

const longest = 400;

/** Renders the changes from `a` to `b`; `root` leads to the site's root. */
export function differencePart(a: Side, b: Side, root: string): Markup {
  const { failing, mended, unjudged, stillFailing, answers } = compareRuns(a.run, b.run);
  const renderChanges = (changes: readonly RuleChange[], side: Side): Markup[] =>
    changes.map((change) => ruleLine(change, side, root));
  const parts: readonly Part[] = [
    { id: 'failing', title: 'newly failing', lines: renderChanges(failing, b) },
    { id: 'mended', title: 'fixed', lines: renderChanges(mended, a) },
    { id: 'unjudged', title: 'no longer judged', lines: renderChanges(unjudged, b) },
    {
      id: 'answers',
      title: answers.length === 1 ? 'changed observation' : 'changed observations',
      lines: answers.map(
        ({ question, before, after }) =>
          markup`<li>${clip(question, longest)} <b>${clip(after, longest)}</b>, before ${clip(before, longest)}</li>`,
      ),
    },
    { id: 'still', title: 'failing in both', lines: renderChanges(stillFailing, b) },
  ];
  const changed = parts.filter(({ lines }) => lines.length > 0);
  return markup`<p class="sentence counts">${joinParts(changed.map(({ id, title, lines }) => markup`<a href="#${id}">${lines.length} ${title}</a>`))}${changed.length === 0 && 'Nothing differs, and nothing fails in either'}.</p>
${unlikeNote(compareMaking(a.run, b.run))}${parts.map(partMarkup)}`;
}

type Part = { readonly id: string; readonly title: string; readonly lines: readonly Markup[] };

/** Renders `a` and `b` with their dates and links. */
export function sidesLine(a: Side, b: Side, root: string): Markup {
  const linkRun = ({ slug, id, run }: Side): Markup =>
    markup`<a href="${root}${runPath(slug, id)}">${clip(siteName(run.target), 80)}, ${run.startedAt.slice(0, 16).replace('T', ' ')}</a> (${run.verdict})`;
  return markup`From ${linkRun(a)} to ${linkRun(b)}.`;
}

function unlikeNote(unlike: readonly Unlike[]): Markup | undefined {
  if (unlike.length === 0) return undefined;
  return markup`<aside class="note"><p>The two runs were not made alike, and what differs between them may be due to that:</p><ul>${unlike.map(({ what, before, after }) => markup`<li>${what}: <code>${clip(before, longest)}</code> → <code>${clip(after, longest)}</code></li>`)}</ul></aside>`;
}

function partMarkup({ id, title, lines }: Part): Markup | undefined {
  if (lines.length === 0) return undefined;
  return markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${lines.length} ${title}</h2><ul class="change-list">${lines}</ul></section>`;
}

function ruleLine(
  { id, level, before, after }: RuleChange,
  { slug, id: run, run: { rules, findings } }: Side,
  root: string,
): Markup {
  const statement = rules.find((rule: RuleResult) => rule.id === id)?.statement;
  const shown = clip(id, longest);
  const ruleFindings = findings.filter((finding: Finding) => finding.rule === id);
  return markup`<li>${after && mark(after)} <b>${level}</b> ${statement && clip(statement, longest)} <code><a href="${root}${rulePath(id)}">${shown}</a></code>${before !== after && `, ${before ?? 'not among those rules'} → ${after ?? 'not among these rules'}`}${ruleFindings.map((finding) => markup`; <a href="${root}${runPath(slug, run)}#${encodeURI(findingAnchor(finding.fingerprint))}">${describeOperation(finding).request} at ${clip(finding.pointer, 80) || 'the whole body'}</a>`)}</li>`;
}
