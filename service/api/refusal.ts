import type { ReplyHeader } from './message.ts';

/** One thing wrong with a request; never repeats what was sent. */
export type Complaint = { readonly in: 'query' | 'path'; readonly name: string; readonly reason: string };

/** Why a request is not answered with data. Thrown where it is noticed, worded by the gate. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  readonly complaints: readonly Complaint[];
  readonly headers: readonly ReplyHeader[];

  constructor(
    status: number,
    code: string,
    detail: string,
    extra: { readonly complaints?: readonly Complaint[]; readonly headers?: readonly ReplyHeader[] } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.complaints = extra.complaints ?? [];
    this.headers = extra.headers ?? [];
  }
}
