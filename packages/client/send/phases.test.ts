import { connect } from 'node:net';
import type { Phase, Timings } from '@candleproof/law/reading/exchange';
import { expect } from '@candleproof/testing/expect';
import fc from 'fast-check';
import { test } from '../testing/targets.ts';
import { PhaseClock } from './phases.ts';

const SEND = { path: '/', credential: 'none' } as const;
const PHASES: readonly Phase[] = ['dns', 'connect', 'tls', 'send', 'wait', 'receive'];

function sum(timings: Timings): number {
  return PHASES.reduce((total, phase) => total + (timings[phase] ?? 0), 0);
}

test('phases sum to the total whatever the clock says', () => {
  const step = fc.double({ min: 0, max: 1e5, noNaN: true });
  fc.assert(
    fc.property(
      fc.subarray([...PHASES], { minLength: 1 }),
      fc.array(step, { minLength: 8, maxLength: 8 }),
      (phases, steps) => {
        let now = 0;
        const waits = steps.values();
        const clock = new PhaseClock(() => (now += waits.next().value ?? 0));
        for (const phase of phases) clock.enter(phase);
        const timings = clock.timings();
        expect(sum(timings)).toBeCloseTo(timings.total, 6);
        expect(Object.keys(timings).sort()).toEqual([...phases, 'total'].sort());
      },
    ),
  );
});

test('a cold exchange has all phases and a warm one three', async ({ serve, connectTo }) => {
  const client = connectTo(await serve((_request, response) => response.end('x')));
  const [cold, warm] = [await client.send(SEND), await client.send(SEND)];
  expect(Object.keys(cold.timings)).toEqual([...PHASES, 'total']);
  expect(Object.keys(warm.timings)).toEqual(['send', 'wait', 'receive', 'total']);
  for (const { timings } of [cold, warm]) expect(sum(timings)).toBeCloseTo(timings.total, 6);
});

test('an address is not looked up, so it has no dns phase', async ({ serve, connectTo }) => {
  const target = await serve((_request, response) => response.end('x'));
  const exchange = await connectTo(target, { baseUrl: `https://127.0.0.1:${target.port}` }).send(SEND);
  expect(exchange.failure).toBeUndefined();
  expect(Object.keys(exchange.timings)).toEqual(['connect', 'tls', 'send', 'wait', 'receive', 'total']);
});

test('known delays are counted in the phase they happen in', async ({ serve, serveTcp, connectTo }) => {
  const target = await serve((_request, response) => {
    setTimeout(() => {
      response.write('[');
      setTimeout(() => response.end(']'), 500);
    }, 300);
  });
  const slowHandshake = await serveTcp((socket) => {
    setTimeout(() => socket.pipe(connect(target.port, '127.0.0.1')).pipe(socket), 400);
  });
  const { timings } = await connectTo(slowHandshake).send(SEND);
  expect.soft(timings.tls).toBeGreaterThan(350);
  expect.soft(timings.wait).toBeGreaterThan(250);
  expect.soft(timings.receive).toBeGreaterThan(450);
  expect(sum(timings)).toBeCloseTo(timings.total, 6);
});

test('a failed exchange times the phases up to the failure', async ({ serveTcp, connectTo }) => {
  const target = await serveTcp((socket) => setTimeout(() => socket.destroy(), 200));
  const { timings, failure } = await connectTo(target).send(SEND);
  expect(failure?.phase).toBe('tls');
  expect(Object.keys(timings)).toEqual(['dns', 'connect', 'tls', 'total']);
  expect(timings.tls).toBeGreaterThan(150);
  expect(sum(timings)).toBeCloseTo(timings.total, 6);
});

test('an answer that came while we were busy is no timeout', async ({ serve, connectTo }) => {
  const target = await serve((_request, response) => response.end('x'));
  const client = connectTo(target, { deadlines: { connectMs: 5000, headersMs: 200, bodyMs: 5000 } });
  await client.send(SEND);
  const sent = client.send(SEND);
  await new Promise((resolve) => setTimeout(resolve, 1));
  const until = performance.now() + 400;
  while (performance.now() < until);
  expect((await sent).failure).toBeUndefined();
});
