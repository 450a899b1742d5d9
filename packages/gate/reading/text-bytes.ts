const marks = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] } as const;

const [lineFeed, carriageReturn] = [10, 13];

/**
 * Passes chunks of bytes on as UTF-8 whose lines end by line feeds. The first chunk shows UTF-16, as MetaTrader and
 * spreadsheets write it, and carriage returns that alone end lines, as on old Macs.
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let areReturns: boolean | undefined;
  for await (const chunk of chunks) {
    if (areReturns === undefined) decoder = openDecoder(chunk);
    const bytes = decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
    areReturns ??= endByReturns(bytes);
    yield areReturns ? bytes.map((byte) => (byte === carriageReturn ? lineFeed : byte)) : bytes;
  }
}

function openDecoder(chunk: Uint8Array): InstanceType<typeof TextDecoder> | undefined {
  const found = Object.entries(marks).find(([, mark]) => mark.every((byte, at) => chunk[at] === byte));
  return found && new TextDecoder(found[0]);
}

/** Returns whether a first chunk has a carriage return before its last byte, and no line feed. */
function endByReturns(chunk: Uint8Array): boolean {
  const at = chunk.indexOf(carriageReturn);
  return at !== -1 && at < chunk.length - 1 && !chunk.includes(lineFeed);
}
