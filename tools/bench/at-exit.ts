import { writeFileSync } from 'node:fs';

/** Imported before a command; writes its resource usage to the file that the environment names. */
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const figures = { seconds: performance.now() / 1000, cpu: (userCPUTime + systemCPUTime) / 1e6, maxRSS };
  writeFileSync(process.env.BENCH_FIGURES ?? '', JSON.stringify(figures));
});
