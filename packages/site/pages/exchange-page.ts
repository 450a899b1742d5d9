import type { Finding, Run } from '@candleproof/law/judge/verdict';
import { curlLines } from '@candleproof/reports/formats/bug-report';
import {
  exchangeParts,
  findRows,
  type ShownExchange,
  showKept,
} from '@candleproof/reports/run/shown-exchange';
import { section } from '@candleproof/reports/run/table';
import { clip, embedJson } from '@candleproof/reports/words/escape';
import { formatInstant } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { exchangePath, findingAnchor, siteName } from '../paths.ts';
import type { SiteFile } from '../site-records.ts';
import type { Side } from './difference-part.ts';
import { parentsOfRun, plainHead, sitePage } from './site-page.ts';

/** Characters of a body that the page shows; entry.json has all of it. */
const longestBody = 20_000;
const longestValue = 400;
const longestUrl = 2000;

/** Returns an exchange as recorded, and as a page. */
export function exchangeFiles(published: PublishedRun, { index, entry }: KeptExchange): SiteFile[] {
  const path = exchangePath(published.slug, published.id, index);
  return [[`${path}entry.json`, embedJson(entry)], exchangePage(published, index, showKept(entry))];
}

function exchangePage(published: PublishedRun, index: number, shown: ShownExchange): SiteFile {
  const { run, id, slug } = published;
  const path = exchangePath(slug, id, index);
  const named = run.findings.flatMap(({ examples }) =>
    examples.flatMap((example) => [example, ...(example.beside ?? [])]),
  );
  const rows = findRows(shown.body, index, named);
  return sitePage({
    path,
    title: `Exchange ${index}, ${siteName(run.target)} ${run.startedAt.slice(0, 10)}`,
    crumb: `exchange ${index}`,
    parents: parentsOfRun(published),
    json: `${path}entry.json`,
    header: plainHead('Candleproof · raw exchange', `Exchange ${index}`, [
      markup`<code>${clip(shown.request, longestUrl)}</code>`,
      markup`${shown.status || 'no answer'}${shown.failure !== '' && `, ${shown.failure}`}; ${formatInstant(shown.startedAt)}${shown.milliseconds !== undefined && `, ${Math.round(shown.milliseconds)} ms`}`,
    ]),
    main: markup`${findingsOn(index, run)}${section('exchange', 'As it was sent and received', [exchangeParts(shown, rows, { rest: 'entry.json', longest: longestBody }), markup`<p class="where">All of it: <a href="entry.json">entry.json</a></p>`])}`,
  });
}

function findingsOn(index: number, run: Run): Markup | undefined {
  const exchangeFindings = run.findings.filter(
    ({ exchange, examples }) => exchange === index || examples.some((example) => example.exchange === index),
  );
  if (exchangeFindings.length === 0) return undefined;
  const examples = exchangeFindings.flatMap((finding) => finding.examples);
  const lines = curlLines({ examples: examples.filter(({ exchange }) => exchange === index) }, run);
  return markup`<section id="findings" aria-labelledby="findings-title"><h2 id="findings-title">What was found in it</h2>
<ul class="change-list">${exchangeFindings.map((finding) => markup`<li><a href="../../#${encodeURI(findingAnchor(finding.fingerprint))}">${clip(finding.rule, longestValue)}</a>${findingPlaces(finding, index)}</li>`)}</ul>
${lines.map((line) => markup`<pre class="command">${clip(line, 4000)}</pre>`)}</section>`;
}

function findingPlaces({ examples, pointer, expected, actual }: Finding, index: number): Markup[] {
  const exchangeExamples = examples.filter((example) => example.exchange === index);
  return (exchangeExamples.length > 0 ? exchangeExamples : [{ pointer, expected, actual }]).map(
    (example) =>
      markup`<br><code>${clip(example.pointer, longestValue) || 'the whole body'}</code>: expected ${clip(example.expected, longestValue)}; actual <b>${clip(example.actual, longestValue)}</b>`,
  );
}

/** An exchange that the site keeps: its index in exchanges.har, and its unchanged entry. */
export type KeptExchange = { readonly index: number; readonly entry: unknown };

/** Lists the exchanges that findings refer to, and those that they are compared with. */
export function exchangesOfFindings(findings: readonly Pick<Finding, 'exchange' | 'examples'>[]): number[] {
  const all = findings.flatMap(({ exchange, examples }) => [
    exchange,
    ...examples.flatMap((example) => [example, ...(example.beside ?? [])].map((one) => one.exchange)),
  ]);
  return [...new Set(all)].sort((a, b) => a - b);
}

export type PublishedRun = Side & { readonly kept: readonly KeptExchange[] };
