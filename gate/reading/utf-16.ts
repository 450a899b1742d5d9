const marks = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] } as const;

/** Passes chunks of bytes on, in UTF-8 if the first of them shows UTF-16, as MetaTrader and spreadsheets write it. */
export async function* decodeUtf16(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    const found = Object.entries(marks).find(([, mark]) => mark.every((byte, at) => chunk[at] === byte));
    if (isFirst && found) decoder = new TextDecoder(found[0]);
    isFirst = false;
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
  }
}
