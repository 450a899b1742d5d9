import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@candleproof/files/user-folders';
import { PostgresAddress } from '@candleproof/postgres/address';
import { expect, test } from '@playwright/test';
import { readLedger } from './read-ledger.ts';

const open = 'postgres://homer:wine-dark-sea@db.example/ledger';
const bare = 'postgres://homer@other.example/ledger';

function urlOf(text: string | undefined, env: Environment = {}): string {
  const folder = test.info().outputPath();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ledger-url'), `${open}\n`);
  const configured = text === undefined ? undefined : { text, file: join(folder, 'c.yaml'), line: 3 };
  const place = readLedger(configured, env);
  return place instanceof PostgresAddress ? place.secretUrl : place;
}

test('a ledger is where the environment says, or the config, or in a file of this machine', () => {
  expect(urlOf(bare, { CANDLEPROOF_LEDGER_URL: open })).toBe(open);
  expect(urlOf(bare)).toBe(bare);
  expect(urlOf('ledger-url')).toBe(open);
  expect(urlOf(`\${LEDGER}`, { LEDGER: open })).toBe(open);
  expect(urlOf(undefined, { CANDLEPROOF_STATE_DIR: '/state' })).toBe(join('/state', 'ledger.db'));
});

test('what names no database is refused where it stands, and no password is repeated', () => {
  expect(() => urlOf('nowhere')).toThrow(/c\.yaml:3: ledger: .*nowhere: there is no such file/);
  expect(() => urlOf(`\${LEDGER}`)).toThrow(/c\.yaml:3: ledger: the environment has no LEDGER: set it/);
  const wrong = (): string => urlOf(undefined, { CANDLEPROOF_LEDGER_URL: 'mysql://a:secret@b/c' });
  expect(wrong).toThrow(/^CANDLEPROOF_LEDGER_URL: no URL such as postgres:/);
  expect(wrong).not.toThrow(/secret/);
});
