const [lineFeed, carriageReturn] = [10, 13];

/** Passes chunks of bytes on, with line feeds for the carriage returns that alone end lines, as on old Macs. */
export async function* endByLineFeeds(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let areReturns: boolean | undefined;
  for await (const chunk of chunks) {
    areReturns ??= endByReturns(chunk);
    yield areReturns ? chunk.map((byte) => (byte === carriageReturn ? lineFeed : byte)) : chunk;
  }
}

/** Returns whether a first chunk has a carriage return before its last byte, and no line feed. */
function endByReturns(chunk: Uint8Array): boolean {
  const at = chunk.indexOf(carriageReturn);
  return at !== -1 && at < chunk.length - 1 && !chunk.includes(lineFeed);
}
