// Starts processes in separate sessions without any environment, writes their numbers into a file and goes on.
import { execFileSync, spawn } from 'node:child_process';

const script = 'echo $$ >> "$1"; exec sleep 60';
const hidden = ['-i', 'setsid', 'sh', '-c', script, 'sh', process.argv[2] ?? ''];
spawn('env', hidden, { detached: true, stdio: 'ignore' }).unref();
// Its parent ends at once.
execFileSync('sh', ['-c', '"$@" > /dev/null 2>&1 &', 'sh', 'env', ...hidden]);
setInterval(() => {}, 1000);
