import { existsSync, readFileSync, writeFileSync } from 'node:fs';

// Loaded into a command by --import: leaves behind how much memory it took at most and for how long it worked.
process.on('exit', () => {
  const file = process.env.PEAK_MEMORY_FILE;
  const { maxRSS, userCPUTime } = process.resourceUsage();
  if (file !== undefined)
    writeFileSync(file, JSON.stringify({ mib: (readPeak() ?? maxRSS) / 1024, seconds: userCPUTime / 1e6 }));
});

/** On Linux `maxRSS` is at least that of the process that started this one. */
function readPeak(): number | undefined {
  const status = '/proc/self/status';
  const [, kib] = (existsSync(status) && /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))) || [];
  return kib === undefined ? undefined : Number(kib);
}
