/**
 * Profiles `candleproof serve` while it answers the same range repeatedly: a flame graph in text, with a line for every
 * function and its share of time including callees, and the share of every package by itself.
 * `node tools/bench/service/flame.ts [PROFILE]` also keeps the profile, to be opened in a browser.
 */

import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { serve } from './command.ts';
import { rangePath, servedAt } from './contender.ts';

type Frame = { readonly functionName: string; readonly url: string; readonly lineNumber: number };
type ProfileNode = {
  readonly id: number;
  readonly callFrame: Frame;
  readonly children?: readonly number[];
};
type Profile = {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

const warmUpSeconds = 6;
const seconds = 10;
/** Smaller shares have no line. */
const least = 0.015;

const folder = mkdtempSync(join(tmpdir(), 'candleproof-flame-'));
const service = await serve(
  ['--seed', '3', '--now', servedAt, '--quota-limit', '100000000'],
  ['--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', folder],
);
await autocannon({
  url: service.url + rangePath(),
  connections: 16,
  duration: warmUpSeconds + seconds,
  headers: { 'x-api-key': service.key },
  tlsOptions: { ca: service.ca },
});
await service.stop();
const path = join(folder, readdirSync(folder)[0] ?? '');
draw(JSON.parse(readFileSync(path, 'utf8')));
const [kept] = process.argv.slice(2);
if (kept !== undefined) copyFileSync(path, kept);
rmSync(folder, { recursive: true });

function draw({ nodes, samples, timeDeltas }: Profile): void {
  const end = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  const selfTimes = new Map<number, number>();
  let at = 0;
  for (const [index, delta] of timeDeltas.entries()) {
    at += delta;
    const sample = samples[index];
    if (sample !== undefined && at > end - seconds * 1e6)
      selfTimes.set(sample, (selfTimes.get(sample) ?? 0) + delta);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const idle = nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)');
  for (const { id } of idle) selfTimes.delete(id);
  const all = [...selfTimes.values()].reduce((sum, count) => sum + count, 0);

  const byOwner = new Map<string, number>();
  for (const [id, time] of selfTimes) {
    const owner = findOwner(byId.get(id)?.callFrame);
    byOwner.set(owner, (byOwner.get(owner) ?? 0) + time);
  }
  for (const [owner, time] of [...byOwner].sort((a, b) => b[1] - a[1])) line(time / all, owner);
  process.stdout.write('\n');
  drawFrom(
    nodes.find(({ callFrame }) => callFrame.functionName === '(root)'),
    0,
  );

  function drawFrom(node: ProfileNode | undefined, depth: number): void {
    if (!node) return;
    const time = sumSamples(node);
    if (time / all < least) return;
    line(time / all, `${'  '.repeat(depth)}${formatFrame(node.callFrame)}`);
    const children = (node.children ?? []).flatMap((id) => byId.get(id) ?? []);
    for (const child of children.toSorted((a, b) => sumSamples(b) - sumSamples(a)))
      drawFrom(child, depth + 1);
  }

  function sumSamples(node: ProfileNode): number {
    const children = (node.children ?? []).flatMap((id) => byId.get(id) ?? []);
    return children.reduce((sum, child) => sum + sumSamples(child), selfTimes.get(node.id) ?? 0);
  }
}

function line(share: number, text: string): void {
  process.stdout.write(`${(100 * share).toFixed(1).padStart(5)} %  ${text}\n`);
}

function findOwner(frame: Frame | undefined): string {
  if (!frame || frame.url === '')
    return frame?.functionName === 'writev' ? 'TLS and socket (native)' : 'V8 and libuv (native)';
  return frame.url.startsWith('node:') ? "Node's own JavaScript" : 'the service';
}

function formatFrame({ functionName, url, lineNumber }: Frame): string {
  const file = url.startsWith('node:') ? url : url.split('/').slice(-2).join('/');
  return `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`;
}
