import type { Finding, RuleResult, Run } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { causeGroup, type FindingCause, findCauses, type NumberedFinding } from '../words/causes.ts';
import { clip } from '../words/escape.ts';
import {
  baselineEntries,
  baselineStatus,
  describeAcceptance,
  formatExtent,
  maxInFull,
  placeName,
} from '../words/finding-words.ts';
import { plural } from '../words/format.ts';
import { type Markup, markup, renderBatches } from '../words/markup.ts';
import { describeOperation } from '../words/wording.ts';
import { type Card, type CardLinks, type FindingLinks, findingCard } from './finding.ts';
import { findDrawn } from './verdict.ts';

/** Renders all findings under their consequences, a card for each rule of a cause; the first card of each is open. */
export function findingsPart(
  run: Run,
  exchanges: readonly Exchange[] = [],
  links: CardLinks = { row: () => undefined },
): Markup {
  const all = findCauses(run);
  const drawn = findDrawn(run, all)?.finding;
  const groups = Map.groupBy(all, causeGroup);
  const cards = [...groups].map(([name, causes]) => {
    const ofGroup = causes.flatMap(cardsOfCause);
    return (
      ofGroup.length > 0 &&
      markup`<h3 class="cost">${name}</h3>${ofGroup.map((findings, index) => findingCard({ findings, isOpen: index === 0, isDrawn: findings[0].finding === drawn }, run, exchanges, links))}`
    );
  });
  const { findings } = run;
  const none =
    run.verdict === 'inconclusive'
      ? 'None, because the target could not be judged. That does not mean that it is healthy.'
      : 'None: every rule that could be tested holds.';
  return markup`<section id="findings"${findings.length > maxInFull && markup` class="many"`} aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>
${findings.length > 0 ? cards : markup`<p>${none}</p>`}
${findingRows(findings, run)}
${surprises(run)}</section>${links.page && restAddresses(findings.slice(maxInFull), links.page)}`;
}

/** Renders permanent addresses also for findings that the page shows only in rows. */
function restAddresses(rest: readonly Finding[], { anchor, raw }: FindingLinks): Markup | undefined {
  if (rest.length === 0) return undefined;
  return markup`<details><summary>Exchanges of the ${plural(rest.length, 'more finding')}</summary><ul class="change-list">${rest.map((finding) => markup`<li id="${anchor(finding)}"><code>${clip(finding.fingerprint, 200)}</code> ${raw(finding)}</li>`)}</ul></details>`;
}

function cardsOfCause({ findings }: FindingCause): Card['findings'][] {
  const shown = findings.filter(({ number }) => number <= maxInFull);
  return [...Map.groupBy(shown, ({ finding }) => finding.rule).values()].flatMap(([first, ...rest]) =>
    first ? [[first, ...rest] as const] : [],
  );
}

/** Renders mended entries of the baseline, each of which would hide the next breach. */
function surprises(run: Run): Markup | undefined {
  const surprised = baselineEntries('surprised', run);
  if (surprised.length === 0) return undefined;
  return markup`<aside class="note"><p>The baseline lists as failing what no longer fails. Take it off the list, so that its next failure is reported:</p>
<ul>${surprised.map((acceptance) => markup`<li><code>${acceptance.fingerprint}</code> ${describeAcceptance(acceptance)}</li>`)}</ul></aside>`;
}

const longestValue = 120;

function findingRows(findings: readonly Finding[], run: Run): Markup | undefined {
  const rest = findings.map((finding, index) => ({ finding, number: index + 1 })).slice(maxInFull);
  if (rest.length === 0) return undefined;
  const rules = new Map(run.rules.map((rule) => [rule.id, rule]));
  return markup`<h3 class="rest">${plural(rest.length, 'more finding')}</h3>
<p class="lead">The first ${maxInFull} are reported in full; of these, run.json has the examples.</p>
${renderBatches(
  rest,
  (
    rows,
    range,
  ) => markup`<table><caption class="visually-hidden">Further findings${range}</caption><thead><tr><th scope="col" class="outcome">Finding</th><th scope="col">Rule and place</th><th scope="col">Expected and actual</th></tr></thead>
<tbody>${rows.map((row) => findingRow(row, rules, run))}</tbody></table>`,
)}`;
}

/**
 * Renders a row with as few elements as possible and without optional end tags: a browser reads ten thousand in a
 * second.
 */
function findingRow(
  { finding, number }: NumberedFinding,
  rules: ReadonlyMap<string, RuleResult>,
  run: Run,
): Markup {
  const { rule, level, expected, actual, replay, sentence } = finding;
  const known = baselineStatus(finding, run) === 'known' && ', known';
  const place = `${describeOperation(finding).request} at ${clip(placeName(finding), longestValue)}, ${formatExtent(finding)}`;
  return markup`<tr id="finding-${number}"><td>${number}, ${level}${known}<td class="wide">${sentence ?? rules.get(rule)?.statement ?? rule}<code class="id">${rule}</code> ${place}<td class="wide">${clip(expected, longestValue)}<b class="got">${clip(actual, longestValue)}</b><code class="id">${replay}</code>`;
}

/** Returns whether a page shows all findings of a run in full. */
export function isWhole({ findings }: Run): boolean {
  return findings.length <= maxInFull;
}

/**
 * Returns the run for programs that read a page, without what the catalogue says of each rule; without examples if there are
 * more findings than the page shows in full.
 */
export function embeddedRun(run: Run): object {
  const rules = run.rules.map(({ statement: _, why: __, section: ___, ...judged }) => judged);
  if (isWhole(run)) return { ...run, rules };
  return { ...run, rules, findings: run.findings.map((finding) => ({ ...finding, examples: [] })) };
}
