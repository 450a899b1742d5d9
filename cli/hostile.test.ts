import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '@playwright/test';
import { hostileTargets } from '../http/testing/hostile-targets.ts';
import { KEY, test } from '../http/testing/targets.ts';
import { candleproof } from './testing/command.ts';

const peakMemory = pathToFileURL(join('cli', 'testing', 'peak-memory.ts')).href;

for (const { name, answer, exit, seconds, mib } of hostileTargets) {
  test(`a check of a target that answers ${name} ends in a verdict, in bounded time and memory`, async ({
    serve,
    authority,
  }) => {
    test.setTimeout(seconds * 3000);
    const folder = test.info().outputPath('run');
    mkdirSync(folder, { recursive: true });
    const [caFile, keyFile, peakFile] = ['ca.pem', 'key', 'peak'].map((each) => join(folder, each)) as [
      string,
      string,
      string,
    ];
    writeFileSync(caFile, authority.ca);
    writeFileSync(keyFile, KEY);
    const { baseUrl } = await serve(answer);
    const flags = ['--base-url', baseUrl, '--api-key-file', keyFile, '--ca-file', caFile, '--pools-v1', '1'];
    const { code, stdout } = await candleproof(
      ['check', ...flags, '--pools-v2', '1', '--budget', '16', '--out', folder],
      { NODE_OPTIONS: `--import=${peakMemory}`, PEAK_MEMORY_FILE: peakFile },
    );
    expect([code, stdout.split('\n')[0]]).toEqual([exit, expect.stringMatching(/onconformant|nconclusive/)]);
    const taken = JSON.parse(readFileSync(peakFile, 'utf8'));
    expect(taken.seconds).toBeLessThan(seconds);
    expect(taken.mib).toBeLessThan(mib);
    expect(existsSync(join(folder, 'exchanges.har'))).toBe(true);
  });
}
