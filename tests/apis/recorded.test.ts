import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { loadSpec } from '../../contract/document/load-spec.ts';
import { readColumns } from '../../gate/reading/columns.ts';
import { judgeTables } from '../../gate/testing/tables.ts';
import { judgeHar } from '../../library/candleproof.ts';
import { listFindings } from './check-venue.ts';

/** A published answer of a venue: see docs/gallery.md. */
type Published = {
  readonly source: string;
  /** The day on which the source was read. */
  readonly read: string;
  /** A time of the answer at which its newest row was still open, where it was. */
  readonly recorded?: string;
  /** Path and query below the document's server. */
  readonly request: string;
  readonly status: number;
  readonly body: unknown;
};

/** The columns of rows that are in another order than time, open, high, low, close, volume. */
const columns: Readonly<Record<string, string>> = {
  coinbase: 'time,low,high,open,close,volume',
  kraken: 'time,open,high,low,close,-,volume',
};

const names = readdirSync('gallery').filter((name) =>
  readdirSync(`gallery/${name}`).includes('recorded.json'),
);

test('every entry with a published answer is named in the gallery page', () => {
  const [, line = ''] = /Published answers: ([^.]+)\./.exec(readFileSync('docs/gallery.md', 'utf8')) ?? [];
  expect(line.split(/,\s+/)).toEqual(names);
});

for (const name of names) {
  const published: Published = JSON.parse(readFileSync(`gallery/${name}/recorded.json`, 'utf8'));

  test(`the published answer of ${name} has no finding`, async () => {
    const spec = await loadSpec(`gallery/${name}/openapi.yaml`);
    const baseUrl = readServer(name);
    const har = makeHar(published, baseUrl);
    const { run } = await judgeHar(har, { spec, baseUrl, headersNotRecorded: true });
    expect(listFindings(run)).toEqual([]);
    expect(run.verdict).toBe('conformant');
    const passed = run.rules.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
    expect(passed).toEqual(expect.arrayContaining(['candle/high-is-highest', 'history/aligned']));
  });

  test(`the published rows of ${name} have no damage`, async () => {
    const order = columns[name];
    const choice = order === undefined ? undefined : readColumns(order);
    const table = { [`${name}.json`]: JSON.stringify(published.body) };
    const { files, ranges } = await judgeTables(table, choice && { columns: choice });
    expect(ranges).toEqual([]);
    expect(files.map(({ rows }) => rows)).toEqual([countRows(published.body)]);
  });
}

/** Reads the URL of a document's server. */
function readServer(name: string): string {
  const document = readFileSync(`gallery/${name}/openapi.yaml`, 'utf8');
  return /^ {2}- url: (\S+)/m.exec(document)?.[1] ?? '';
}

/** Counts the rows in an answer: the elements of the first array of arrays or of objects in it. */
function countRows(body: unknown): number {
  const rows = findRows(body);
  expect(rows.length).toBeGreaterThan(0);
  return rows.length;
}

function findRows(part: unknown): readonly unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part)) return typeof part[0] === 'object' ? part : [];
  return (
    Object.values(part)
      .map(findRows)
      .find((rows) => rows.length > 0) ?? []
  );
}

/** Makes a HAR of a published answer. */
function makeHar({ request, status, body, recorded, read }: Published, baseUrl: string): object {
  const entry = {
    startedDateTime: new Date(recorded ?? read).toISOString(),
    time: 0,
    request: { method: 'GET', url: `${baseUrl}${request}`, headers: [] },
    response: {
      status,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { mimeType: 'application/json', text: JSON.stringify(body) },
    },
  };
  return { log: { version: '1.2', creator: { name: 'gallery', version: '1' }, entries: [entry] } };
}
