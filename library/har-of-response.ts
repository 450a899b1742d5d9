/** The part of an answer that a judgement needs; Playwright's APIResponse is one. */
export type AnyResponse = {
  url(): string;
  status(): number;
  statusText(): string;
  headersArray(): readonly { readonly name: string; readonly value: string }[];
  body(): Promise<Buffer>;
};

/** One answer as a recording of others, which holds neither its request's headers nor when it was requested. */
export async function toHar(response: AnyResponse): Promise<object> {
  const body = await response.body();
  return {
    log: {
      version: '1.2',
      entries: [
        {
          request: { method: 'GET', url: response.url(), headers: [] },
          response: {
            status: response.status(),
            statusText: response.statusText(),
            headers: response.headersArray(),
            content: { size: body.length, text: body.toString('base64'), encoding: 'base64' },
          },
        },
      ],
    },
  };
}
