// Puts its key into the URL, too.
import { get, key, pause, target } from './double.mjs';

for (let at = 0; ; at += 1) {
  await get(`${target(at)}&api_key=${key}`);
  await pause(500);
}
