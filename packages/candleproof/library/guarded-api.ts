import { readSpec } from '@candleproof/check/target/accepted-spec';
import { openGuard } from '@candleproof/check/target/client';
import { chooseLedgerPlace } from '@candleproof/client/ledger/ledger-place';
import { isLoopback } from '@candleproof/client/send/base-url';
import type { Exchange } from '@candleproof/law/reading/exchange';
import type { APIRequestContext, APIResponse } from '@playwright/test';
import type { TargetOptions } from './candleproof.ts';

/** Longest wait in ms for the answer to another holder's request that shows an unknown month. */
const timeout = 10_000;

/**
 * Lets requests of Playwright leave only while the key's month has some left; the others reject with MonthSpent. Returns
 * a function that ends the reservation.
 */
export async function guardApi(
  api: APIRequestContext,
  { baseUrl, apiKey, allowOverage }: TargetOptions,
): Promise<() => Promise<void>> {
  if (apiKey === undefined) return async () => undefined;
  const ledger = chooseLedgerPlace({ apiKey, isLoopback: isLoopback(baseUrl) }, process.env);
  const key = { baseUrl, text: apiKey, quota: readSpec().quota };
  const { guard, close } = await openGuard(key, { ledger, budget: 1, allowOverage, timeout });
  const fetch = api.fetch.bind(api);
  // All of its other methods call this one.
  api.fetch = async (...request) => {
    let response: APIResponse | undefined;
    const send = async (): Promise<Exchange> => {
      response = await fetch(...request);
      return toExchange(response);
    };
    await guard.client({ send }).send({ path: '/', credential: 'api-key' });
    if (!response) throw new Error('A request ended without a response.');
    return response;
  };
  return close;
}

/** Returns the part of an answer that shows the month. */
function toExchange(response: APIResponse): Exchange {
  const headers = response.headersArray().map(({ name, value }) => [name, value] as const);
  return {
    request: { method: 'GET', url: response.url(), headers: [], credential: 'api-key' },
    response: { status: response.status(), statusText: response.statusText(), httpVersion: '', headers },
    timings: { total: 0 },
    startedAt: new Date().toISOString(),
  };
}
