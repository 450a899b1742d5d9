import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor } from '@candleproof/command/command';
import { shownPath } from '@candleproof/files/shown-path';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Ended } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';

const healthy = 'tests/fixtures/mitmproxy.har';
const published = 'tests/fixtures/published-answers.har';

type Entry = { request: { url: string }; response: { headers: object[]; content: Record<string, unknown> } };

async function judged(files: readonly string[], ...flags: string[]): Promise<Ended & { run: Run }> {
  const out = test.info().outputPath('out');
  const ended = await candleproof(['judge', ...files, '--out', out, ...flags]);
  return { ...ended, run: JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) };
}

/** A recording of a fixture's entries, changed. */
function recording(name: string, from: string, change: (entries: Entry[]) => object[]): string {
  const { log } = JSON.parse(readFileSync(from, 'utf8'));
  const file = test.info().outputPath(name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify({ log: { ...log, entries: change(log.entries) } }));
  return file;
}

test('the service as mitmproxy recorded it is conformant', async () => {
  const { code, run, stdout } = await judged([healthy]);
  expect({ code, verdict: run.verdict, findings: run.findings }).toEqual({
    code: 0,
    verdict: 'conformant',
    findings: [],
  });
  expect(stdout).toMatch(/^https:\/\/recorded\.invalid: 11 of 11 entries judged\n/);
});

test('recordings of several runs are judged in order and once, with other use of the key between them', async () => {
  const folder = test.info().outputPath('runs');
  const served = await startTarget(folder);
  const runs: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    const out = join(folder, name);
    const { code } = await candleproof(['check', ...flagsFor(served.ready), '--budget', '20', '--out', out]);
    expect(code).not.toBe(1);
    runs.push(join(out, 'exchanges.har'));
  }
  await served.stop();
  const [first = '', , third = ''] = runs;
  const { code, run } = await judged([third, first, third]);
  expect({ code, findings: run.findings }).toEqual({ code: 0, findings: [] });
  const { log } = JSON.parse(readFileSync(third, 'utf8')) as { log: { entries: Entry[] } };
  expect(run.entries?.skipped).toEqual([{ reason: 'recorded twice', count: log.entries.length }]);
});

test('a pool that --pools leaves out may be refused, and any other may not', async () => {
  const file = recording('refused.har', healthy, (entries) =>
    entries.map((entry) =>
      /latest\/0\?interval=HOUR/.test(entry.request.url)
        ? { ...entry, response: { ...entry.response, status: 404, statusText: 'Not Found', content: {} } }
        : entry,
    ),
  );
  const inferred = await judged([file]);
  expect({ code: inferred.code, rules: inferred.run.findings.map(({ rule }) => rule) }).toEqual({
    code: 1,
    rules: expect.arrayContaining(['transport/proper-requests-are-answered']),
  });
  const named = await judged([file], '--pools', 'v1=2');
  expect(named.run.findings).toEqual([]);
});

test('averages that were never divided are found as mitmproxy recorded them', async () => {
  const { code, run } = await judged(['tests/fixtures/mitmproxy-f31.har']);
  expect(code).toBe(1);
  expect([...new Set(run.findings.map((finding) => finding.rule))]).toEqual([
    'candle/average-is-within-range',
  ]);
});

test('entries that were not judged are counted with their reasons, findings named by their place', async () => {
  const page = (url: string) => ({
    startedDateTime: '2026-11-22T00:00:00Z',
    request: { url },
    response: { status: 200, headers: [], content: { text: '<!doctype html>' } },
  });
  const blocked = { request: { url: 'https://recorded.invalid/tokens' }, response: { status: 0 } };
  const file = recording('mixed.har', 'tests/fixtures/mitmproxy-f31.har', (entries) => [
    ...Array.from({ length: 12 }, () => page('https://www.front.example/tokens')),
    { ...blocked, response: { status: 0, _error: 'net::ERR_BLOCKED_BY_CLIENT' } },
    blocked,
    ...entries,
  ]);
  const { run, stdout } = await judged([file]);
  const skipped = 'other host 12, blocked or called off by the browser 1, no response 1';
  expect(stdout).toContain(`https://recorded.invalid: 11 of 25 entries judged, 14 skipped: ${skipped}\n`);
  expect(run.entries).toMatchObject({ recorded: 25, judged: 11 });
  const [finding] = run.findings;
  expect(finding?.place).toBe(`log.entries[${14 + (finding?.exchange ?? 0)}]`);
  const { log } = JSON.parse(readFileSync(test.info().outputPath('out', 'exchanges.har'), 'utf8'));
  expect(log.entries).toHaveLength(11);
  expect(readFileSync(test.info().outputPath('out', 'index.html'), 'utf8')).toContain(finding?.place);
});

test('the base URL that is given decides, and one that was never requested is refused with those that were', async () => {
  const front = recording('front.har', healthy, (entries) => [
    ...entries,
    { request: { url: 'https://www.front.example/tokens' }, response: { status: 404, headers: [] } },
  ]);
  const { run } = await judged([front], '--base-url', 'https://www.front.example/');
  expect(run.target.baseUrl).toBe('https://www.front.example');
  const wrong = await candleproof(['judge', front, '--base-url', 'https://other.example']);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringMatching(
      /^candleproof: .*other\.example.*one of https:\/\/recorded\.invalid, https:\/\/www.*\n$/,
    ),
  ]);
});

test('headers that a recording left out are not missing', async () => {
  const without = recording('without.har', published, (entries) =>
    entries.map((entry) => ({ ...entry, response: { ...entry.response, headers: [] } })),
  );
  const flagged = await judged([published], '--headers-not-recorded');
  for (const { run } of [flagged, await judged([without])]) {
    expect(run.findings.map((finding) => finding.rule)).toEqual(['candle/average-is-within-range']);
    const reported = run.rules.filter(
      ({ id, outcome }) => /^quota|media-type|cross-origin/.test(id) && outcome !== 'unexercised',
    );
    expect(reported).toEqual([]);
  }
  expect(flagged.run.findings[0]?.replay).toContain(
    'judge tests/fixtures/published-answers.har --headers-not-recorded --only candle/average-is-within-range',
  );
});

test('a body beside the recording is read, and nothing that a link leads to', async () => {
  const attached = (name: string, text: string) =>
    recording(name, healthy, (entries) =>
      entries.map((entry, at) => ({
        ...entry,
        response: { ...entry.response, content: at === 0 ? { _file: text } : entry.response.content },
      })),
    );
  const file = attached('attached.har', 'body.json');
  const [first] = JSON.parse(readFileSync(healthy, 'utf8')).log.entries;
  writeFileSync(join(file, '..', 'body.json'), first.response.content.text);
  expect((await judged([file])).run.verdict).toBe('conformant');
  const linked = attached('linked.har', 'link.json');
  copyFileSync(join(file, '..', 'body.json'), join(linked, '..', 'elsewhere'));
  symlinkSync(join(linked, '..', 'elsewhere'), join(linked, '..', 'link.json'));
  expect((await judged([linked])).run.reason).toContain(
    'nothing could be judged of listTokens (its bodies are not in the recording',
  );
});

test('a replay line is one that a shell takes', async () => {
  const odd = recording("it's odd.har", 'tests/fixtures/mitmproxy-f31.har', (entries) => entries);
  const { run } = await judged([odd], '--base-url', 'https://recorded.invalid');
  const quoted = `'${shownPath(odd).replace("'", "'\\''")}'`;
  expect(run.findings[0]?.replay).toBe(
    `npx candleproof judge ${quoted} --base-url https://recorded.invalid --only candle/average-is-within-range`,
  );
});
