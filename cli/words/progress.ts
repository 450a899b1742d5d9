/** A line that tells how far a long job is: on a terminal it is written over itself, in a pipe it stays away. */
export function progressLine(stream: NodeJS.WriteStream): { show(text: string): void; clear(): void } {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  return {
    show: (text) => stream.write(`\r\x1b[2K${text} …`),
    clear: () => stream.write('\r\x1b[2K'),
  };
}
