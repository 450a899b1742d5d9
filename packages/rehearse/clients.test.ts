import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { start } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { isGood } from './client-exchange.ts';
import { readExpectation } from './judging/expectation.ts';
import { clientRules } from './law/catalogue.ts';
import type { Play } from './law/client-rule.ts';
import type { JudgedClientRule } from './rehearsal.ts';
import { scenarios } from './scenarios/scenario-catalogue.ts';
import { findBreaches } from './testing/plays.ts';
import { hasPython, rehearseTestClient } from './testing/rehearsed.ts';

const noPython = 'no python3 here, or not with the modules that it takes';

/** A limit that no play reaches: each ends once it has shown its point. */
const forMs = 20_000;

const bad: readonly (readonly [client: string, scenario: string, rule: string, noOverage?: true])[] = [
  ['impatient.mjs', 'rate-limited', 'client/waits-as-retry-after-says'],
  ['impatient.py', 'maintenance', 'client/waits-as-retry-after-says'],
  ['storming.mjs', 'unavailable', 'client/backs-off-from-server-errors'],
  ['spendthrift.mjs', 'quota-low', 'client/stays-within-its-quota', true],
  ['spendthrift.mjs', 'overage', 'client/stays-within-its-quota', true],
  ['key-in-url.mjs', 'steady', 'client/sends-its-key-in-its-header-alone'],
  ['milliseconds.mjs', 'steady', 'client/keeps-parameters-within-the-document'],
  ['gives-up.mjs', 'rate-limited', 'client/recovers'],
  ['stubborn.mjs', 'key-revoked', 'client/eases-off-when-its-key-is-refused'],
  ['polling.mjs', 'steady', 'client/no-more-than-six-requests-a-minute-with-equal-bytes'],
];

for (const [client, scenario, id, noOverage = false] of bad) {
  test(`${client} in ${scenario} breaks ${id} first`, async () => {
    test.skip(client.endsWith('.py') && !hasPython(), noPython);
    const rule = clientRules.find((rule) => rule.id === id);
    const isEnough = (play: Play): boolean => rule !== undefined && findBreaches(rule, play).length > 0;
    const { rehearsal } = await rehearseTestClient(client, [scenario], { forMs, noOverage, isEnough });
    const [played] = rehearsal.scenarios;
    expect(played?.findings[0]?.rule).toBe(id);
    expect(rehearsal.verdict).toBe(rule?.level === 'must' ? 'nonconformant' : 'conformant');
  });
}

const good = ['patient.mjs', 'with-undici.mjs', 'with-ky.mjs', 'with-got.mjs', 'with_requests.py'];

const patient = good.flatMap((client) => [
  [client, 'rate-limited', /ky|got/.test(client) ? '@thorough' : ''] as const,
  [client, 'maintenance', '@thorough'] as const,
]);

for (const [client, scenario, tag] of patient) {
  test(`${client} breaks nothing in ${scenario} and recovers ${tag}`, async () => {
    test.skip(client.endsWith('.py') && !hasPython('requests', 'urllib3'), noPython);
    const how = { forMs, isEnough: hasRecovered, args: ['7'] };
    const { rehearsal } = await rehearseTestClient(client, [scenario], how);
    for (const { id, findings, rules } of rehearsal.scenarios) {
      expect([id, findings]).toEqual([id, []]);
      expect(findOutcome(rules, 'client/waits-as-retry-after-says')).toBe('passed');
      expect(findOutcome(rules, 'client/recovers')).toBe('passed');
    }
  });
}

const comesThrough: readonly (readonly [
  scenario: string,
  rule: string,
  isEnough: (play: Play) => boolean,
  tag?: '@thorough',
])[] = [
  ['unavailable', 'client/backs-off-from-server-errors', hasRecovered],
  ['month-reset', 'client/stays-within-its-quota', hasRecovered, '@thorough'],
  ['slow', 'client/recovers', hasRecovered, '@thorough'],
  ['month-end', 'client/stays-within-its-quota', hasRecovered, '@thorough'],
  ['quota-low', 'client/stays-within-its-quota', isSilent(2000), '@thorough'],
  ['key-revoked', 'client/eases-off-when-its-key-is-refused', () => false],
];

for (const [scenario, id, isEnough, tag = ''] of comesThrough) {
  test(`a client with backoff passes ${scenario} ${tag}`, async () => {
    const { rehearsal } = await rehearseTestClient('patient.mjs', [scenario], {
      forMs,
      noOverage: true,
      isEnough,
    });
    const [{ findings, rules } = { findings: [], rules: [] }] = rehearsal.scenarios;
    expect(findings).toEqual([]);
    expect(findOutcome(rules, id)).toBe('passed');
    expect(rehearsal.verdict).toBe('conformant');
  });
}

test('expectations after wrong data are met by a careful client only', async () => {
  const expectations = ['gap:exit=4', 'gap:stdout=wrong data: gap', 'gap:requests=none', 'stale:exit=5']
    .map(readExpectation)
    .filter((expectation) => expectation !== undefined);
  const scenarios = ['gap', 'stale'];
  const [careful, patient] = await Promise.all([
    rehearseTestClient('careful.mjs', scenarios, { forMs, expectations }),
    rehearseTestClient('patient.mjs', ['stale'], { forMs, expectations, isEnough: hasSent(3) }),
  ]);
  const met = careful.rehearsal.scenarios.map(({ id, expectations: all }) => [
    id,
    all.map(({ outcome }) => outcome),
  ]);
  expect(met).toEqual([
    ['stale', ['passed']],
    ['gap', ['passed', 'passed', 'passed']],
  ]);
  expect(careful.rehearsal.verdict).toBe('conformant');
  expect(patient.rehearsal).toMatchObject({ verdict: 'nonconformant' });
});

test('wrong data that was never requested leaves an expectation unexercised', async () => {
  const expectations = [{ what: { exit: 4 } }];
  const { rehearsal } = await rehearseTestClient('patient.mjs', ['gap'], {
    forMs,
    expectations,
    isEnough: hasSent(2),
  });
  expect(rehearsal.verdict).toBe('inconclusive');
  expect(rehearsal.scenarios[0]?.expectations[0]?.outcome).toBe('unexercised');
});

test('a client that sends nothing is inconclusive and its stderr is shown without the key', async () => {
  const { rehearsal, printed } = await rehearseTestClient('silent.mjs', ['steady'], { forMs });
  const [scenario] = rehearsal.scenarios;
  expect(rehearsal.verdict).toBe('inconclusive');
  expect(scenario?.client).toMatchObject({ how: 'exited', code: 9 });
  expect(scenario?.client.stderr).toBe('no configuration found\nat line 1');
  expect(scenario?.rules.map(({ outcome }) => outcome)).not.toContain('passed');
  expect(printed.get('steady')?.stdout).toBe('[redacted:api-key]\n');
});

test('no part of a secret is readable in the output of a client that prints more than is kept', async () => {
  const secret = 'kR7wPz2mQx9vTn4bLs8yHd3gJf6cVa1eUo5iWq0t';
  const { printed } = await rehearseTestClient('talkative.mjs', ['steady'], {
    forMs,
    args: ['--token', secret],
  });
  const { stdout = '' } = printed.get('steady') ?? {};
  expect(stdout.length).toBeGreaterThan(65_000);
  expect(stdout).toContain('€[redacted:parameter]\n€');
  for (let from = 0; from + 9 <= secret.length; from++)
    expect(stdout).not.toContain(secret.slice(from, from + 9));
});

test('a client without the authority can be rehearsed over plain HTTP', async () => {
  const { rehearsal } = await rehearseTestClient('patient.mjs', ['steady'], {
    forMs,
    http: true,
    isEnough: hasSent(2),
  });
  expect(rehearsal.verdict).toBe('conformant');
  expect(rehearsal.scenarios[0]?.requests).toBeGreaterThan(1);
});

test('a rehearsal never reports the key', async () => {
  const { rehearsal } = await rehearseTestClient('key-in-url.mjs', ['steady'], {
    forMs,
    isEnough: hasSent(1),
  });
  const target = rehearsal.scenarios[0]?.exchanges[0]?.target ?? '';
  expect(target).toContain('api_key=[redacted:api-key]');
  expect(JSON.stringify(rehearsal)).not.toMatch(/"x-api-key","(?!\[redacted)/);
});

test('good clients of forty seeds break nothing @thorough', async () => {
  test.setTimeout(1_500_000);
  const clients = good.filter((client) => client.endsWith('.mjs'));
  for (let seed = 1; seed <= 40; seed += 1) {
    const client = clients[seed % clients.length] ?? '';
    // Without Retry-After, ky waits until the reset of the month.
    const troubles = [
      'rate-limited',
      'maintenance',
      'month-reset',
      ...(client.includes('ky') ? [] : ['unavailable']),
    ];
    const id = troubles[Math.floor(seed / clients.length) % troubles.length] ?? '';
    const { rehearsal } = await rehearseTestClient(client, [id], {
      forMs: 12_000,
      seed,
      args: [String(seed)],
    });
    expect([seed, client, id, rehearsal.scenarios.flatMap(({ findings }) => findings)]).toEqual([
      seed,
      client,
      id,
      [],
    ]);
  }
});

test('ky waits for the end of the month after a 503 without Retry-After @thorough', async () => {
  const { rehearsal } = await rehearseTestClient('with-ky.mjs', ['unavailable'], { forMs });
  expect(rehearsal.scenarios[0]?.findings[0]?.rule).toBe('client/recovers');
});

/** Returns whether a request was answered well after the trouble. */
function hasRecovered({ exchanges, trouble }: Play): boolean {
  const over = trouble?.ended ?? Number.POSITIVE_INFINITY;
  return exchanges.some((exchange) => exchange.arrived >= over && isGood(exchange));
}

function isSilent(ms: number): (play: Play) => boolean {
  return ({ exchanges, ended }) => exchanges.length > 1 && ended - (exchanges.at(-1)?.arrived ?? 0) > ms;
}

function hasSent(count: number): (play: Play) => boolean {
  return ({ exchanges }) => exchanges.filter(isGood).length >= count;
}

function findOutcome(rules: readonly JudgedClientRule[], rule: string): string | undefined {
  return rules.find(({ id }) => id === rule)?.outcome;
}

test('secrets in flags, variables and headers of the command are redacted', async () => {
  const args = [
    '--api-key',
    'hush1',
    '--token=hush2',
    '-H',
    'X-API-Key: hush3',
    'Authorization: Bearer hush4',
  ];
  const { rehearsal } = await rehearseTestClient('silent.mjs', ['steady'], {
    forMs,
    args: [...args, 'https://a.example'],
  });
  expect(rehearsal.command.slice(2)).toEqual([
    ...['--api-key', '[redacted]', '--token=[redacted]', '-H', 'X-API-Key:[redacted]'],
    ...['Authorization:[redacted]', 'https://a.example'],
  ]);
});

test('a client that left its process group is ended with it', async () => {
  test.skip(process.platform !== 'linux', 'only Linux shows the environment of other processes');
  const file = test.info().outputPath('pid');
  const { rehearsal } = await rehearseTestClient('leaving.mjs', ['steady'], { forMs: 1500, args: [file] });
  expect(rehearsal.scenarios).toHaveLength(1);
  const pid = Number(readFileSync(file, 'utf8'));
  expect(pid).toBeGreaterThan(0);
  expect(isRunning(pid)).toBe(false);
});

test('a process without environment in another session is ended with its client', async () => {
  test.skip(process.platform !== 'linux', 'only Linux shows the limits of other processes');
  const file = test.info().outputPath('pid');
  const { rehearsal } = await rehearseTestClient('hiding.mjs', ['steady'], { forMs: 1500, args: [file] });
  expect(rehearsal.scenarios).toHaveLength(1);
  const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number);
  expect(pids).toHaveLength(2);
  for (const pid of pids) expect(isRunning(pid), String(pid)).toBe(false);
});

test('a client is ended when the rehearsal is killed', async () => {
  test.skip(process.platform !== 'linux', 'only Linux shows the environment of other processes');
  const file = test.info().outputPath('pid');
  const script = 'packages/rehearse/testing/clients/leaving.mjs';
  const flags = ['--scenario', 'steady', '--for', '60', '--out', test.info().outputPath('out')];
  const rehearsing = start(['rehearse', ...flags, '--', process.execPath, script, file], {});
  await expect
    .poll(() => existsSync(file) && readFileSync(file, 'utf8') !== '', { timeout: 60_000 })
    .toBe(true);
  rehearsing.kill('SIGKILL');
  const pid = Number(readFileSync(file, 'utf8'));
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});

/** Returns whether a process runs; an ended one may stay in the process table until its parent waits for it. */
function isRunning(pid: number): boolean {
  const status = join('/proc', String(pid), 'status');
  return existsSync(status) && !/^State:\s+[ZX]/m.test(readFileSync(status, 'utf8'));
}

test('a client is alone on its processor where its pace is judged', async () => {
  const busy = new Map<string, number>();
  const log = test.info().outputPath('log');
  mkdirSync(test.info().outputDir, { recursive: true });
  writeFileSync(log, '');
  const code = `const { appendFileSync: add } = require('node:fs'), [log] = process.argv.slice(1);
    add(log, '+'); setTimeout(() => add(log, '-'), 300);`;
  const { rehearsal } = await rehearseTestClient(
    '',
    scenarios.map(({ id }) => id),
    {
      command: [process.execPath, '-e', code, log],
      http: true,
      onScenario: (id) => {
        const signs = readFileSync(log, 'utf8');
        busy.set(id, signs.split('+').length - signs.split('-').length);
      },
    },
  );
  expect(rehearsal.scenarios.map(({ id }) => id)).toEqual(scenarios.map(({ id }) => id));
  const paced = scenarios.filter(({ isPaced }) => isPaced).map(({ id }) => id);
  expect(paced).toEqual(['unavailable', 'key-revoked']);
  expect([...busy.keys()].slice(-2).toSorted()).toEqual(paced.toSorted());
  for (const id of paced) expect(busy.get(id), id).toBeLessThan(availableParallelism());
});
