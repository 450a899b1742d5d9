/** Returns the processor time of synchronous work in ms, which other work of the machine does not lengthen. */
export function measureProcessorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
