import { inspect } from 'node:util';
import { expect, test } from '@playwright/test';
import { PostgresAddress } from './address.ts';

const secret = 'wine-dark-sea';

test('an address shows host, port and database alone', () => {
  const address = new PostgresAddress(`postgres://homer:${secret}@db.example:5433/candles?sslmode=require`);
  expect(address.place).toBe('db.example:5433/candles');
  expect(new PostgresAddress('postgresql:///candles?host=/run/pg').place).toBe('/run/pg/candles');
  expect(inspect(address) + JSON.stringify(address)).not.toContain(secret);
});

test('a password is seen in both places that a URL has for it', () => {
  const holds = (url: string): boolean => new PostgresAddress(url).holdsPassword;
  expect(holds(`postgres://homer:${secret}@db/candles`)).toBe(true);
  expect(holds(`postgres://homer@db/candles?password=${secret}`)).toBe(true);
  expect(holds('postgres://homer@db/candles')).toBe(false);
});

test('a text that is no such URL is refused without being repeated', () => {
  for (const text of [
    secret,
    `mysql://homer:${secret}@db/candles`,
    `postgres://homer:${secret}@db`,
    'postgres://:::',
  ]) {
    expect(() => new PostgresAddress(text)).toThrow(/^no URL such as postgres:\/\/user@host:5432\/database$/);
  }
});
