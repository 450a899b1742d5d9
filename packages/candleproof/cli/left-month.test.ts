import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor, start, waitForEnd } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Ended } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import { LeftMonth } from './testing/left-month.ts';
import { startTarget } from './testing/target.ts';

/** Runs work on a service whose key has so many requests left, which the ledger knows. */
async function withLeft<T>(left: number, work: (month: LeftMonth) => Promise<T>): Promise<T> {
  const month = await LeftMonth.start(test.info().outputPath(`left-${left}`), left);
  try {
    await month.makeKnown();
    return await work(month);
  } finally {
    await month.stop();
  }
}

/** The command lines that send with a key; `out` is their folder. */
function lines(month: LeftMonth, out: string): Readonly<Record<string, string[]>> {
  const { url, apiKeyFile, caFile } = month.ready;
  const access = ['--api-key-file', apiKeyFile, '--ca-file', caFile];
  const pools = month.flags.slice(-4);
  return {
    check: ['check', ...month.flags, '--out', join(out, 'check')],
    explore: ['explore', ...month.flags, '--out', join(out, 'explore')],
    audit: ['audit', ...month.flags, '--out', join(out, 'audit')],
    init: ['init', url, ...access, ...pools, '--config', join(out, 'made.yaml')],
    look: ['look', `${url}/tokens`, ...access, '--key-header', 'x-api-key'],
    spec: ['spec', 'openapi.yaml', '--try', url, ...access, '--pools', 'v2=1'],
    load: ['load', 'smoke', ...month.flags, '--out', join(out, 'load')],
    monitor: ['monitor', '--once', ...month.flags, '--data', join(out, 'data')],
  };
}

function runOf(out: string): Run {
  return JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
}

test('a check with ten requests left sends ten, says what it left out, and is never green', async () => {
  await withLeft(10, async (month) => {
    const out = join(month.folder, 'check');
    const { code, stdout } = await candleproof(lines(month, month.folder).check ?? [], month.env);
    expect(await month.counted()).toBeLessThanOrEqual(10);
    const { verdict, reasonCode, requests, rules, findings } = runOf(out);
    expect([code, verdict, reasonCode, findings]).toEqual([3, 'inconclusive', 'month-short', []]);
    expect(requests).toEqual({ sent: requests.sent, budget: 10, keyed: expect.any(Number) });
    expect(requests.sent).toBeGreaterThan(7);
    expect(rules.filter((rule) => rule.beyondBudget).length).toBeGreaterThan(20);
    expect(stdout).toMatch(/month left 10 of 1,000 requests until \d{4}-.*: \d+ planned were not sent/);
  });
});

/** Records a run with findings of a service of its own, and returns its folder. */
async function recordFindings(folder: string): Promise<string> {
  const served = await startTarget(folder, { faults: ['F31'] });
  const out = join(folder, 'out');
  const { code, stdout } = await candleproof(['check', ...flagsFor(served.ready), '--out', out]);
  await served.stop();
  expect(code, stdout).toBe(1);
  return out;
}

test('with nothing left no command sends a request, each ends with 3 and says until when', async () => {
  await withLeft(0, async (month) => {
    const found = await recordFindings(join(month.folder, 'found'));
    const { url, apiKeyFile, caFile } = month.ready;
    const replay = [
      'replay',
      found,
      '1',
      '--base-url',
      url,
      '--api-key-file',
      apiKeyFile,
      '--ca-file',
      caFile,
    ];
    for (const [name, args] of Object.entries({ ...lines(month, month.folder), replay })) {
      const { code, stdout, stderr } = await candleproof(args, month.env);
      expect([name, code, await month.counted()], `${stdout}${stderr}`).toEqual([name, 3, 0]);
      if (name !== 'monitor')
        expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toMatch(
          /0 of 1,?000 (requests )?until \d{4}-\d\d-\d\dT23:59:59.999Z/,
        );
    }
  });
});

test('with few left each command sends no more than these, and those that want more end with 3', async () => {
  await withLeft(4, async (month) => {
    const { explore = [] } = lines(month, month.folder);
    const { code, stdout } = await candleproof(explore, month.env);
    expect([code, await month.counted()], stdout).toEqual([3, 4]);
    const run = runOf(join(month.folder, 'explore'));
    expect([run.verdict, run.reasonCode, run.findings]).toEqual(['inconclusive', 'month-short', []]);
  });
});

test('a check that the user allows to go beyond the month does', async () => {
  await withLeft(3, async (month) => {
    const args = ['check', ...month.flags, '--only', 'tokens', '--allow-overage'];
    const { code } = await candleproof([...args, '--out', join(month.folder, 'out')], month.env);
    expect(code).toBe(0);
    expect(await month.counted()).toBeGreaterThan(3);
  });
});

test('a declared reserve is kept, and where none is declared all is spent', async () => {
  await withLeft(106, async (month) => {
    const { url, apiKeyFile, caFile, poolsV1, poolsV2 } = month.ready;
    const config = (shares: string): string => {
      const file = join(month.folder, `${shares.length}.yaml`);
      const pools = `{ v1: [${poolsV1}], v2: [${poolsV2}] }`;
      const target = `{ baseUrl: '${url}', key: main, caFile: '${caFile}', pools: ${pools} }`;
      writeFileSync(
        file,
        `version: 1\nkeys: { main: { file: '${apiKeyFile}'${shares} } }\ntargets: { near: ${target} }\n`,
      );
      return file;
    };
    const check = (shares: string): Promise<Ended> =>
      candleproof(
        ['check', 'near', '--config', config(shares), '--out', join(month.folder, 'out')],
        month.env,
      );
    const shares = ', shares: { check: 30, monitor: 50, load: 5, confirm: 5, reserve: 10 }';
    const kept = await check(shares);
    expect([kept.code, kept.stdout]).toEqual([3, expect.stringContaining('100 are its reserve')]);
    expect(await month.counted()).toBeLessThanOrEqual(6);
    expect(await check('')).toMatchObject({ code: 0 });
  });
});

/** Runs both commands at once, each in a process. */
async function runTogether(month: LeftMonth, one: string, other: string): Promise<Ended[]> {
  const runs = [one, other].map((name, at) => {
    const args = lines(month, join(month.folder, `${at}`))[name] ?? [];
    return waitForEnd(start(args, month.env));
  });
  return Promise.all(runs);
}

test('two checks at once share what is left, in processes of their own', async () => {
  await withLeft(40, async (month) => {
    const ends = await runTogether(month, 'check', 'check');
    const counted = await month.counted();
    expect(counted, ends.map(({ stdout, stderr }) => stdout + stderr).join('')).toBeLessThanOrEqual(40);
    expect(counted).toBeGreaterThan(20);
    for (const { code, stdout } of ends) expect([0, 3], stdout).toContain(code);
    expect(ends.map(({ code }) => code)).toContain(3);
  });
});

test('any two commands at once in processes send no more than what is left', {
  tag: '@endurance',
}, async () => {
  test.slow();
  const names = ['check', 'explore', 'audit', 'init', 'look', 'load', 'monitor', 'spec'];
  for (const [at, one] of names.entries()) {
    const left = [0, 1, 5, 13, 25, 40, 47, 60][at] ?? 0;
    await withLeft(left, async (month) => {
      const other = names[(at * 3 + 1) % names.length] ?? one;
      const ends = await runTogether(month, one, other);
      const printed = ends.map(({ stdout, stderr }) => stdout + stderr).join('');
      expect(await month.counted(), `${one} and ${other}: ${printed}`).toBeLessThanOrEqual(left);
    });
  }
});
