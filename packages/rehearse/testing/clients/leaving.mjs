// Starts a process in a separate session, writes its number into a file and goes on.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const away = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
  detached: true,
  stdio: 'ignore',
});
away.unref();
writeFileSync(process.argv[2] ?? '', String(away.pid));
setInterval(() => {}, 1000);
