import { writeFileSync } from 'node:fs';

// Loaded into a command by --import: leaves behind how much memory it took at most and for how long it worked.
process.on('exit', () => {
  const file = process.env.PEAK_MEMORY_FILE;
  const { maxRSS, userCPUTime } = process.resourceUsage();
  if (file !== undefined)
    writeFileSync(file, JSON.stringify({ mib: maxRSS / 1024, seconds: userCPUTime / 1e6 }));
});
