import { expect, test } from '@playwright/test';
import { UpstreamSlots } from './upstream-slots.ts';

function begun(slots: UpstreamSlots, ...names: string[]): string[] {
  const all: string[] = [];
  for (const name of names) slots.enter(name, () => all.push(name));
  return all;
}

test('requests begin while there are places, and the next when one is left', () => {
  const slots = new UpstreamSlots({ upstream: 2, clientRequests: 2 });
  const all = begun(slots, 'a', 'a', 'a');
  expect(all).toHaveLength(2);
  slots.leave('a');
  expect(all).toHaveLength(3);
});

test('a client that has its share waits beside free places, and takes none of another', () => {
  const slots = new UpstreamSlots({ upstream: 3, clientRequests: 1 });
  const all = begun(slots, 'a', 'a', 'b');
  expect(all).toEqual(['a', 'b']);
  slots.leave('b');
  expect(all).toEqual(['a', 'b']);
  slots.leave('a');
  expect(all).toEqual(['a', 'b', 'a']);
});

test('clients that wait get places in turn, however many requests each has waiting', () => {
  const slots = new UpstreamSlots({ upstream: 1, clientRequests: 1 });
  const all = begun(slots, 'a', 'a', 'a', 'a', 'b', 'c');
  for (let at = 0; at < 5; at++) slots.leave(all.at(-1) ?? '');
  expect(all).toEqual(['a', 'b', 'c', 'a', 'a', 'a']);
});

test('who gives the wait up takes no place', () => {
  const slots = new UpstreamSlots({ upstream: 1, clientRequests: 1 });
  const all = begun(slots, 'a');
  const begin = (): void => void all.push('left');
  slots.enter('b', begin);
  slots.withdraw('b', begin);
  slots.leave('a');
  expect([...all, ...begun(slots, 'c')]).toEqual(['a', 'c']);
});
