import { get } from 'node:https';
import type { Double } from './double.ts';

export type DoubleResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
};

/** A request to a double, as any client would send it. */
export function ask(
  double: Double,
  path: string,
  headers: Record<string, string> = {},
): Promise<DoubleResponse> {
  return new Promise((resolve, reject) => {
    get(`${double.url}${path}`, { ca: double.ca, headers, agent: false }, async (response) => {
      const text = (await response.toArray()).join('');
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    }).on('error', reject);
  });
}

/** The value of a row at this place, for each row. */
export function column(rows: readonly (readonly unknown[])[], place: number): number[] {
  return rows.map((row) => Number(row[place]));
}

/** Each difference between neighbours, once. */
export function steps(values: readonly number[]): number[] {
  return [...new Set(values.slice(1).map((value, at) => value - (values[at] ?? 0)))];
}

/** Adds up values. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
