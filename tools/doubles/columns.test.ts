import { checkApi } from '@candleproof/command/check-api';
import { expect, test } from '@playwright/test';

test('a document of columns instead of rows is refused in one line with the place', async () => {
  const target = {
    baseUrl: 'https://127.0.0.1:9',
    ca: '',
    pools: ['ethereum'],
    document: 'docs/apis/columns.yaml',
  };
  const { code, stdout, stderr, run } = await checkApi(target, test.info().outputPath());
  expect({ code, stdout, run }).toEqual({ code: 2, stdout: '', run: undefined });
  expect(stderr).toMatch(/^candleproof: \S*docs\/apis\/columns\.yaml:\d+: .*\bcolumns\b.*\n$/);
});
