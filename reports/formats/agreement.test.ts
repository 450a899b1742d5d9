import { readFileSync } from 'node:fs';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { causeHeadline, findCauses } from '../words/causes.ts';
import { countMusts } from '../words/tally.ts';
import { renderAnnotations } from './annotations.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderSarif } from './sarif.ts';
import { renderSummary } from './summary.ts';
import { renderTerminal } from './terminal.ts';

const golden = 'packages/candleproof/cli/golden';

/** The texts of all formats of a run, without the escapes of their markup. */
function renderAll(run: Run): Readonly<Record<string, string>> {
  const width = 10_000;
  return {
    terminal: renderTerminal(run, { color: false, width }),
    page: readMarkup(
      /<main[\s\S]*?<\/header>|<header class="page-head">[\s\S]*?<\/header>/.exec(renderHtml(run))?.[0] ?? '',
    ),
    junit: readMarkup(renderJunit(run)),
    sarif: (JSON.parse(renderSarif(run)) as { runs: [{ properties: { headline: string } }] }).runs[0]
      .properties.headline,
    summary: renderSummary(run).replaceAll('\\', ''),
    annotations: renderAnnotations(run),
  };
}

function readMarkup(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

for (const name of ['mitmproxy-f31', 'published-answers'])
  test(`all formats say the same first sentence and verdict of the recording ${name}`, () => {
    const run = JSON.parse(readFileSync(`${golden}/judge-${name}-run.json`, 'utf8')) as Run;
    const [sentence = ''] = causeHeadline(run, findCauses(run)).split(', and ');
    const texts = renderAll(run);
    for (const [format, text] of Object.entries(texts)) expect(text, format).toContain(sentence);
    for (const format of ['terminal', 'page', 'junit', 'sarif', 'summary'])
      expect(texts[format]?.toLowerCase(), format).toContain('nonconformant');
  });

for (const name of ['mitmproxy-f31', 'published-answers'])
  test(`terminal, page and summary count the musts of the recording ${name} alike`, () => {
    const run = JSON.parse(readFileSync(`${golden}/judge-${name}-run.json`, 'utf8')) as Run;
    const { failed, judged, of } = countMusts(run);
    const { terminal = '', page = '', summary = '' } = renderAll(run);
    const words = `${failed} of ${judged} judged musts failed, ${of - judged} of ${of} not judged`;
    expect(terminal).toContain(words);
    expect(summary).toContain(words);
    expect(page.replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ')).toContain(
      `${of - judged} of ${of} not judged`,
    );
  });
