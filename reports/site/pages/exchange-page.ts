import type { Finding, Run } from '../../../contract/judge/verdict.ts';
import { curlLines } from '../../formats/bug-report.ts';
import { findRows, markedBody } from '../../run/marked-body.ts';
import { clip, embedJson } from '../../words/escape.ts';
import { formatInstant } from '../../words/instant.ts';
import { Markup, markup } from '../../words/markup.ts';
import { exchangePath, findingAnchor, runPath, siteName } from '../paths.ts';
import type { SiteFile } from '../site-records.ts';
import { plainHead, sitePage } from './site-page.ts';

/** Characters of a body that the page shows; entry.json has all of it. */
const longestBody = 20_000;
const longestValue = 400;
const longestUrl = 2000;

/** Returns an exchange as recorded, and as a page. */
export function exchangeFiles(published: PublishedRun, { index, entry }: KeptExchange): SiteFile[] {
  const path = exchangePath(published.slug, published.id, index);
  return [[`${path}entry.json`, embedJson(entry)], exchangePage(published, index, shownExchange(entry))];
}

function exchangePage({ run, id, slug }: PublishedRun, index: number, shown: ShownExchange): SiteFile {
  const path = exchangePath(slug, id, index);
  return sitePage({
    path,
    title: `Exchange ${index}, ${siteName(run.target)} ${run.startedAt.slice(0, 10)}`,
    trail: [
      [siteName(run.target), `t/${slug}/`],
      [run.startedAt.slice(0, 10), runPath(slug, id)],
      [`exchange ${index}`, path],
    ],
    json: `${path}entry.json`,
    header: plainHead('Candleproof · raw exchange', `Exchange ${index}`, [
      markup`<code>${clip(shown.requestLine, longestUrl)}</code>`,
      markup`${shown.statusLine ?? 'no answer'}${shown.failure !== undefined && `, ${shown.failure}`}; ${formatInstant(shown.startedAt)}${shown.milliseconds !== undefined && `, ${Math.round(shown.milliseconds)} ms`}`,
    ]),
    main: markup`${findingsOn(index, run)}${bodyPart(shown.body, index, run.findings)}${headPart('Response headers', shown.responseHeaders)}${headPart('Request headers', shown.requestHeaders)}`,
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

function bodyPart(body: string, index: number, findings: readonly Finding[]): Markup {
  const rows = findings.flatMap(({ examples }) =>
    examples.flatMap((example) => [example, ...(example.beside ?? [])]),
  );
  const rest = body.length - longestBody;
  return markup`<section id="body" aria-labelledby="body-title"><h2 id="body-title">Body</h2>
${markedBody(body, findRows(body, index, rows))}
${body === '' ? markup`<p>None was kept.</p>` : markup`<pre>${splitIntoLines(body.slice(0, longestBody))}</pre>`}${rest > 0 && markup`<p>and ${rest} characters more: <a href="entry.json">entry.json</a> has all of it.</p>`}</section>`;
}

/** Splits a text at its line ends; every other invisible character is escaped. */
function splitIntoLines(text: string): Markup[] {
  return text.split(/\r?\n/).map((line, at) => markup`${at > 0 && new Markup('\n')}${line}`);
}

function headPart(title: string, headers: ShownExchange['requestHeaders']): Markup | undefined {
  if (headers.length === 0) return undefined;
  return markup`<section aria-label="${title}"><h2>${title}</h2><table class="exchange-head"><caption class="visually-hidden">${title}</caption><thead class="visually-hidden"><tr><th scope="col">Name</th><th scope="col">Value</th></tr></thead><tbody>${headers.map(([name, value]) => markup`<tr><th scope="row">${clip(name, longestValue)}</th><td>${clip(value, longestUrl)}</td></tr>`)}</tbody></table></section>`;
}

/** An exchange that the site keeps: its index in exchanges.har, and its unchanged entry. */
export type KeptExchange = { readonly index: number; readonly entry: unknown };

/** The parts of a HAR 1.2 entry that a page shows; absent parts are empty. */
export type ShownExchange = ReturnType<typeof shownExchange>;

/** Reads the shown parts of a HAR entry, which may have any form. */
export function shownExchange(entry: unknown) {
  const [request, response] = [part(entry, 'request'), part(entry, 'response')];
  const failure = part(part(entry, '_candleproof'), 'failure');
  const [kind, time] = [text(part(failure, 'kind')), part(entry, 'time')];
  return {
    startedAt: text(part(entry, 'startedDateTime')),
    requestLine: `${text(part(request, 'method'))} ${text(part(request, 'url'))}`,
    requestHeaders: headers(request),
    ...(Number(part(response, 'status')) > 0 && { statusLine: statusLine(response) }),
    responseHeaders: headers(response),
    body: text(part(part(response, 'content'), 'text')),
    ...(typeof time === 'number' && { milliseconds: time }),
    ...(kind !== '' && { failure: `${kind} in ${text(part(failure, 'phase'))}` }),
  };
}

function statusLine(response: unknown): string {
  const words = ['httpVersion', 'status', 'statusText'].map((name) => text(part(response, name)));
  return words.filter((word) => word !== '').join(' ');
}

function headers(message: unknown): (readonly [name: string, value: string])[] {
  const all = part(message, 'headers');
  if (!Array.isArray(all)) return [];
  return all.map((header: unknown) => [text(part(header, 'name')), text(part(header, 'value'))] as const);
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Lists the exchanges that findings refer to, and those that they are compared with. */
export function exchangesOfFindings(findings: readonly Pick<Finding, 'exchange' | 'examples'>[]): number[] {
  const all = findings.flatMap(({ exchange, examples }) => [
    exchange,
    ...examples.flatMap((example) => [example, ...(example.beside ?? [])].map((one) => one.exchange)),
  ]);
  return [...new Set(all)].sort((a, b) => a - b);
}

export type PublishedRun = {
  readonly run: Run;
  readonly id: string;
  /** The target's folder. */
  readonly slug: string;
  readonly kept: readonly KeptExchange[];
};
